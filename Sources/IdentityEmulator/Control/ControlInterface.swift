import DeclaredFields
import Diagnostics
import Directory
import Documents
import Effects
import HTTPTypes
import OAuth
import OrderedCollections

/// `/_authflow/…`, on every host: what a scenario, or another program's test, makes happen.
///
/// | request | what it does |
/// |---|---|
/// | `POST /_authflow/happenings` | a JSON array of happenings, as in a scenario's `given`; all or none happen |
/// | `GET /_authflow/misbehaviours` | every way in which the platform can misbehave, in words, and whether it does so now |
/// | `GET /_authflow/state` | counts of requests, faults with how often they fired, users, apps, sessions, the time |
/// | `GET /_authflow/requests` | the last requests: what was asked, the status, the error; nothing secret |
/// | `POST /_authflow/apps` | registers apps, as in a directory's `apps` |
/// | `POST /_authflow/devices/{user code}/approve\|decline\|expire` | what the person with the code does; `approve` takes `user` |
/// | `POST /_authflow/tokens` | tokens without a sign-in: `{user, client, scopes, tenant}`; the answer is the token endpoint's |
/// | `POST /_authflow/reset` | everything as at the start; apps stay registered |
///
/// A fault strikes only requests that carry the same `x-authflow-isolation` header as the request that laid it.
///
/// Answers are JSON: 200, or 400 with `problems` in plain words. A browser's page cannot use it: requests that carry an
/// `Origin` or are no JSON are refused.
struct ControlInterface: Sendable {
  static let root = "_authflow"

  let platform: Platform
  let exchange: Exchange

  func answer() -> ResponseMessage {
    guard platform.options.controlEnabled else {
      return refuse(["the control interface is switched off"], status: .forbidden)
    }
    let fetchSite = HTTPField.Name("sec-fetch-site").flatMap { exchange.request.head.headerFields[$0] }
    guard exchange.origin == nil, fetchSite == nil || fetchSite == "none" else {
      return refuse(["web pages may not use the control interface"], status: .forbidden)
    }
    let words = exchange.segments.dropFirst().map { $0.lowercased() }
    switch (exchange.method, words.first) {
    case (.get, "state"): return Answer.json(state, to: exchange)
    case (.get, "misbehaviours"): return Answer.json(misbehaviours, to: exchange)
    case (.get, "requests"): return Answer.json(trail, to: exchange)
    case (.post, "happenings"): return happen()
    case (.post, "apps"): return registerApps()
    case (.post, "devices") where words.count == 3: return device(code: words[1].uppercased(), deed: words[2])
    case (.post, "tokens"): return forge()
    case (.post, "reset"):
      platform.withState { $0.reset(to: platform.directory, now: platform.clock.now) }
      return Answer.json(state, to: exchange)
    default: return refuse(["there is no such control request"], status: .notFound)
    }
  }

  private func refuse(_ problems: [String], status: HTTPResponse.Status = .badRequest) -> ResponseMessage {
    Answer.json(["problems": .array(problems.map { .string($0) })], status: status, to: exchange)
  }

  private var isJSON: Bool {
    exchange.request.head.headerFields[.contentType]?.lowercased().hasPrefix("application/json") ?? false
  }

  /// The body as a tree; its problems, where it is no JSON list.
  private func body(_ problems: inout [String]) -> Node? {
    guard isJSON else {
      problems = ["the body must be application/json"]
      return nil
    }
    guard let json = try? JSON(parsing: exchange.request.body), json.array != nil else {
      problems = ["the body is no JSON list"]
      return nil
    }
    return Document.of(json, name: "request").root
  }

  private func happen() -> ResponseMessage {
    var problems: [String] = []
    guard let root = body(&problems) else { return refuse(problems) }
    let (happenings, diagnostics) = Happening.list(root)
    let mistakes = diagnostics.filter { $0.severity == .error }
    guard mistakes.isEmpty else {
      return refuse(mistakes.map { [$0.message, $0.help].compactMap { $0 }.joined(separator: "; ") })
    }
    let worldNow = platform.clock.now
    let problem = platform.withState { state -> String? in
      var next = state
      for happening in happenings {
        do throws(ImpossibleHappening) {
          try next.apply(
            happening, now: worldNow + next.clockShift, worldNow: worldNow,
            isolation: exchange.isolation)
        } catch {
          return error.message
        }
      }
      state = next
      return nil
    }
    if let problem { return refuse([problem]) }
    return Answer.json(state, to: exchange)
  }

  private func registerApps() -> ResponseMessage {
    var problems: [String] = []
    guard let root = body(&problems) else { return refuse(problems) }
    var found = Problems()
    let apps = Codec.list(of: .record(RegisteredApp.fields, empty: RegisteredApp())).read(root, &found) ?? []
    let mistakes = found.diagnostics.filter { $0.severity == .error }
    guard mistakes.isEmpty else { return refuse(mistakes.map(\.message)) }
    platform.withState { state in
      for app in apps { state.register(app) }
    }
    return Answer.json(state, to: exchange)
  }

  /// Tokens for a test that is not about signing in: as if the user had signed in and consented just now.
  private func forge() -> ResponseMessage {
    guard isJSON, let wish = try? JSON(parsing: exchange.request.body), wish.object != nil else {
      return refuse(["the body must be a JSON object {user, client, scopes}"])
    }
    guard let account = approver() else { return refuse(["nobody has that username"]) }
    guard let clientID = wish["client"]?.string ?? platform.withState({ $0.apps.keys.first }) else {
      return refuse(["no app is registered yet; name its client id with `client`"])
    }
    let scopes = wish["scopes"]?.array?.compactMap(\.string) ?? ["User.Read"]
    let text = (["openid", "profile", "offline_access"] + scopes).joined(separator: " ")
    do throws(Refusal) {
      let realm = Realm(kind: .organizations, segment: "organizations", prefix: "/organizations")
      let client = try platform.client(clientID, in: realm)
      let request = try platform.scopes(text, client: client, tenantID: nil)
      let tenantID = wish["tenant"]?.string.flatMap { name in platform.withState { $0.tenant(named: name)?.id } }
      var grant = SignInGrant(
        id: platform.randomness.uuid(), clientID: client.appId, accountID: account.user.id.lowercased(),
        tenantID: tenantID ?? account.homeTenantID, policy: nil, scope: text, authenticatedAt: exchange.now,
        factorAt: nil, sessionID: platform.randomness.uuid(),
        generation: platform.withState { $0.history(of: account.user.id).generation }, issuedAt: exchange.now,
        redirectType: .publicClient)
      grant.nativeFlow = "forged"
      guard let member = platform.withState({ $0.graph.member(grant.accountID, of: grant.tenantID) }) else {
        throw Refusal(50020)
      }
      platform.withState { $0.grant(["openid"] + scopes, to: client.appId, by: .user(account.user.id)) }
      let resource = request.resources.first ?? .graph()
      let answer = TokenMint(platform: platform, exchange: exchange).answer(
        for: grant, member: member, client: client, request: request.limited(to: resource), resource: resource,
        wantsClientInfo: true)
      return Answer.json(answer, to: exchange)
    } catch {
      return refuse(["\(error.label): \(error.message)"])
    }
  }

  private func device(code: String, deed: String) -> ResponseMessage {
    guard
      let (key, device) = platform.withState({ state in
        state.devices.first { $0.value.userCode == code }.map { ($0.key, $0.value) }
      })
    else { return refuse(["no device waits with the code \(code)"]) }
    switch deed {
    case "decline": platform.withState { $0.devices[key]?.outcome = .declined }
    case "expire": platform.withState { $0.devices[key]?.expires = exchange.now }
    case "approve":
      guard let account = approver() else { return refuse(["nobody has that username"]) }
      var grant = SignInGrant(
        id: platform.randomness.uuid(), clientID: device.clientID, accountID: account.user.id.lowercased(),
        tenantID: account.homeTenantID, policy: nil, scope: device.scope, authenticatedAt: exchange.now,
        factorAt: exchange.now, sessionID: platform.randomness.uuid(),
        generation: platform.withState { $0.history(of: account.user.id).generation }, issuedAt: exchange.now,
        redirectType: .publicClient)
      grant.nativeFlow = "deviceCode"
      let sealed = "1." + Sealing.seal(grant.json, for: .deviceGrant, randomness: platform.randomness)
      platform.withState { state in
        state.devices[key]?.outcome = .approved(grant: sealed)
        // Who approves here consents as well: there is no page to ask on.
        state.grant(
          ["openid", "profile", "offline_access"] + device.scope.split(separator: " ").map(String.init),
          to: device.clientID, by: .user(account.user.id))
      }
    default: return refuse(["a device is approved, declined or expired, not \"\(deed)\""])
    }
    return Answer.json(state, to: exchange)
  }

  private func approver() -> GraphState.Account? {
    let username = (try? JSON(parsing: exchange.request.body))?["user"]?.string
    return platform.withState { state in username.map { state.account(named: $0) } ?? state.graph.accounts.values.first
    }
  }

  private var trail: JSON {
    let entries = platform.withState { $0.trail }
    return [
      "version": 1,
      "requests": .array(
        entries.map { entry in
          [
            "time": .string(entry.time.rfc3339(fractionDigits: 3)), "method": .string(entry.method),
            "url": .string(entry.url), "status": entry.status.map { .integer(Int64($0)) } ?? .null,
            "code": entry.code.map { .string($0) } ?? .null, "fault": .bool(entry.isFault),
          ]
        }),
    ]
  }

  private func requests(_ counts: RequestCounts) -> JSON {
    var requests: JSON = [:]
    for counted in Route.Counted.allCases { requests[counted.rawValue] = .integer(Int64(counts.by[counted] ?? 0)) }
    requests["all"] = .integer(Int64(counts.all))
    return requests
  }

  private var misbehaviours: JSON {
    let active = platform.withState { $0.misbehaviours }
    return [
      "version": 1,
      "misbehaviours": .array(
        Misbehaviour.allCases.map { way in
          ["name": .string(way.rawValue), "words": .string(way.words), "active": .bool(active.contains(way))]
        }),
    ]
  }

  /// What a scenario compares: counts since the start, and which faults have fired.
  private var state: JSON {
    let now = platform.now
    return platform.withState { state in
      [
        "version": 1,
        "requests": requests(state.counts),
        "faults": .array(
          state.faults.map { active in
            [
              "at": .string(active.fault.at.spelled), "fired": .integer(Int64(active.fired)),
              "spent": .bool(active.isSpent),
            ]
          }), "time": .string(now.rfc3339(fractionDigits: 3)), "users": .integer(Int64(state.graph.accounts.count)),
        "apps": .array(state.apps.values.map { .string($0.appId) }),
        "sessions": .integer(Int64(state.sessions.values.reduce(0) { $0 + $1.entries.count })),
        "misbehaviours": .array(state.misbehaviours.map { .string($0.rawValue) }),
      ]
    }
  }
}
