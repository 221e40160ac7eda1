import AppRegistration
import Diagnostics
import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import MicrosoftGraph
import OAuth
import OrderedCollections
import RunTrace
import Trust
import WorkflowModel

extension StepPerformer {
  func callGraph(
    _ step: CallGraph, _ performance: StepInvocation, _ app: AppClient
  ) async throws(UnresolvedValue) -> StepReport {
    let scope = performance.scope
    var call = APICall(target: .graph(path: try step.request.path?.resolved(in: scope) ?? "/"))
    try fill(&call, from: step.request, performance)
    call.version = step.version == .beta ? .beta : .v1
    switch step.pages {
    case .all: call.pages = .all
    case .atMost(let count): call.pages = .atMost(count)
    case nil: call.pages = .first
    }
    if let batch = step.batch {
      call.batch = []
      for item in batch { call.batch.append(try request(item, scope)) }
    }
    let token = app.graphToken
    return try await send(
      call, token: (token, .graph), app, endpoint: app.settings.graphEndpoint, saveTo: step.saveTo, performance)
  }

  func callAPI(
    _ step: CallAPI, _ performance: StepInvocation, _ app: AppClient
  ) async throws(UnresolvedValue) -> StepReport {
    let scope = performance.scope
    let base = try step.url?.resolved(in: scope) ?? ""
    let path = try step.request.path?.resolved(in: scope) ?? ""
    var call = APICall(target: .url(Self.joined(base, path)))
    try fill(&call, from: step.request, performance)
    call.isAnonymous = step.isAnonymous
    let scopes = try step.scopes?.resolved(in: scope)
    let token = step.isAnonymous ? (nil, .api) : app.token(forScopes: scopes, at: base)
    return try await send(call, token: token, app, endpoint: base, saveTo: step.saveTo, performance)
  }

  private static func joined(_ base: String, _ path: String) -> String {
    guard !path.isEmpty else { return base }
    let trimmed = base.hasSuffix("/") ? String(base.dropLast()) : base
    return path.hasPrefix("/") ? trimmed + path : trimmed + "/" + path
  }

  private func fill(
    _ call: inout APICall, from request: APIRequest, _ performance: StepInvocation
  ) throws(UnresolvedValue) {
    let scope = performance.scope
    call.method = HTTPRequest.Method(request.method.name) ?? .get
    for (name, value) in request.query {
      if let value = try value.resolved(in: scope) { call.query.append((name, value)) }
    }
    for (name, value) in request.headers {
      if let value = try value.resolved(in: scope), !value.isNull {
        call.headers.append((name, value.string ?? value.text()))
      }
    }
    switch request.body {
    case .json(let json): call.body = try json.resolved(in: scope).map { .json($0) } ?? .none
    case .text(let text):
      call.body =
        try text.resolved(in: scope).map { .bytes(Array($0.utf8), mediaType: "text/plain; charset=utf-8") } ?? .none
    case .file(let path):
      guard let name = try path.resolved(in: scope) else { break }
      let file = besides(performance, name)
      if let violation = projectRoots.violation(reading: file) {
        throw UnresolvedValue("cannot read the body: \(violation.message)", help: violation.help, at: path.place)
      }
      do {
        call.body = .bytes(try setup.world.files.read(file, limit: 64 << 20), mediaType: nil)
      } catch {
        throw UnresolvedValue("cannot read the body: \(error.explanation)")
      }
    case nil: break
    }
    if performance.step.retry?.isOff == true { call.retry = .none }
  }

  private func request(_ item: CallGraph.BatchItem, _ scope: ValueScope) throws(UnresolvedValue) -> BatchRequest {
    var body: JSON?
    if case .json(let json) = item.request.body { body = try json.resolved(in: scope) }
    var headers: [(name: String, value: String)] = []
    for (name, value) in item.request.headers {
      if let value = try value.resolved(in: scope), !value.isNull {
        headers.append((name, value.string ?? value.text()))
      }
    }
    return BatchRequest(
      id: item.id, method: HTTPRequest.Method(item.request.method.name) ?? .get,
      url: try item.request.path?.resolved(in: scope) ?? "/", headers: headers, body: body, dependsOn: item.dependsOn)
  }

  private func send(
    _ call: APICall, token: (secret: Secret?, resource: TokenDestinations.Resource), _ app: AppClient,
    endpoint: String, saveTo: Resolvable<String>?, _ performance: StepInvocation
  ) async throws(UnresolvedValue) -> StepReport {
    // Check the output file before the request, because the call can change data.
    let output = try output(saveTo, performance)
    let client = APIClient(
      http: transport, clock: setup.world.clock, trace: trace, destinations: app.tokenDestinations(of: setup))
    let result = await client.perform(call, token: token.secret, for: token.resource, endpoint: endpoint)
    if result.outcome == .success, let output {
      do {
        try setup.world.files.replace(output.path, with: result.rawBody, privately: false)
      } catch {
        throw UnresolvedValue("cannot save the response: \(error.explanation)", at: saveTo?.place)
      }
      setup.outputs.add(output.path, result.rawBody)
      trace.recordDecision("saveTo", "written", reason: "\(result.rawBody.count) bytes written to \(output.name)")
    }
    var facts = facts(of: result, call)
    if result.outcome == .forbidden,
      let reason = Self.missingPermission(result, scopes: token.secret.flatMap(app.scopes))
    {
      facts["shows"] = .string("\(facts["shows"]?.string ?? ""); \(reason)")
    }
    return StepReport(OutcomeName(result.outcome), facts: facts)
  }

  /// Returns the permissions that a forbidden request requires and the permissions of the token. Only the emulator
  /// reports the required permissions.
  private static func missingPermission(_ result: APICallResult, scopes: [String]?) -> String? {
    let needed = neededPermissions.flatMap { result.headers[$0] }?.split(separator: " ").map(String.init) ?? []
    var sentences: [String] = []
    if let first = needed.first {
      sentences.append(
        needed.count == 1 ? "it requires \(first)" : "it requires one of \(needed.joined(separator: ", "))")
    }
    if let scopes { sentences.append("the token has \(scopes.isEmpty ? "no scopes" : scopes.joined(separator: " "))") }
    return sentences.isEmpty ? nil : sentences.joined(separator: "; ")
  }

  /// The response header with the required permissions. See the emulator's `GraphErrorResponse`.
  private static let neededPermissions = HTTPField.Name("x-authflow-permissions")

  /// Returns the output file for the response, or nil if the step does not save the response.
  private func output(
    _ saveTo: Resolvable<String>?, _ performance: StepInvocation
  ) throws(UnresolvedValue) -> (name: String, path: String)? {
    guard let saveTo, let name = try saveTo.resolved(in: performance.scope) else { return nil }
    do throws(TrustViolation) {
      return (name, try OutputFolder(in: setup.world).path(for: name, isOwn: setup.outputs.contains))
    } catch {
      throw UnresolvedValue("cannot save the response: \(error.message)", help: error.help, at: saveTo.place)
    }
  }

  /// Resolves a path relative to the workflow.
  private func besides(_ performance: StepInvocation, _ path: String) -> String {
    let file = performance.workflow.document.source.name
    guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
    return String(file[...slash]) + path
  }

  private func facts(of result: APICallResult, _ call: APICall) -> OrderedDictionary<String, JSON> {
    var facts: OrderedDictionary<String, JSON> = ["$": result.value, "attempts": .integer(Int64(result.attempts))]
    if let status = result.status { facts["status"] = .integer(Int64(status)) }
    facts["headers"] = .object(Self.headers(result.headers))
    if let error = result.error {
      facts["error"] = ["code": .string(error.code), "description": .string(error.message)]
    } else if let failure = result.failure {
      facts["error"] = ["description": .string(failure.explanation)]
    }
    if let sent = result.sent {
      facts["sent"] = [
        "host": .string(sent.host), "url": .string(sent.url), "method": .string(sent.method),
        "headers": .object(Self.headers(sent.headers)),
      ]
    }
    if let claims = result.claims { facts["challenge"] = (try? JSON(parsing: Array(claims.utf8))) ?? .string(claims) }
    if let wait = result.headers[.retryAfter].flatMap({ Double($0) }) { facts["retryAfter"] = JSON(number: wait) }
    facts["shows"] = .string(shows(result, call))
    return facts
  }

  private static func headers(_ fields: HTTPFields) -> OrderedDictionary<String, JSON> {
    var headers: OrderedDictionary<String, JSON> = [:]
    for field in fields { headers[field.name.canonicalName] = .string(field.value) }
    return headers
  }

  /// Summarizes the response in one line.
  private func shows(_ result: APICallResult, _ call: APICall) -> String {
    let target = result.sent?.url ?? ""
    let path = target.firstRange(of: "://").map { target[$0.upperBound...].drop { $0 != "/" } } ?? target[...]
    var text = "\(call.batch.isEmpty ? call.method.rawValue : "POST") \(PercentEncoding.decode(path))"
    if let status = result.status { text += " returned \(status)" }
    if result.pages > 1 { text += " (\(result.pages) pages)" }
    guard result.outcome == .success, let summary = ResponseSummary.of(result.value) else { return text }
    return text + ": " + summary
  }
}
