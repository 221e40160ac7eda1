import AppRegistration
import DeclaredFields
import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import OrderedCollections
import PublicClient
import RunTrace
import WorkflowModel

/// When something happens: who sits there and which app it is about, where nothing else is said.
struct Occasion: Sendable {
  var scope: ValueScope
  var seat: @Sendable (Int) -> PersonAtKeyboard
  var app: AppClient
}

extension StepPerformer {
  /// Brings about what is given, before the first step; counting begins afterwards.
  func bringAbout(_ given: [Happening], scope: ValueScope) async throws(UnresolvedValue) {
    if !given.isEmpty, let app = apps.values.first {
      let occasion = Occasion(scope: scope, seat: seat([], scope), app: app)
      let report = try await happens(given, occasion)
      guard report.outcome == "success" else { throw UnresolvedValue("what is given was interrupted") }
    }
    await startCounting()
  }

  /// Brings about what is to happen right before a step.
  func bringAbout(
    _ happenings: [Happening], before step: String, scope: ValueScope
  ) async throws(UnresolvedValue) {
    guard let app = apps.values.first else { return }
    let report = try await happens(happenings, Occasion(scope: scope, seat: seat([], scope), app: app))
    guard report.outcome == "success" else { throw UnresolvedValue("it was interrupted") }
  }

  /// Makes things happen, in order. What the platform does goes over its control interface, the one that other programs'
  /// tests use too; what the clock and the app do happens here.
  func happens(
    _ happenings: [Happening], _ occasion: Occasion
  ) async throws(UnresolvedValue) -> StepReport {
    for happening in happenings {
      let details = try happening.details?.resolved(in: occasion.scope) ?? .null
      switch happening.kind {
      case .wait:
        guard let duration = Duration(spelled: details.string ?? "") else { break }
        do { try await setup.world.clock.sleep(for: duration) } catch { return StepReport("timedOut") }
      case .signedOut: try await signOutEverybody(occasion.app, happening)
      case .deviceShared: try share()
      case .signedIn: try await signIn(happening, details, occasion)
      case .clock, .cacheCorrupted, .cacheLoaded:
        throw UnresolvedValue(
          "\(happening.kind.rawValue) cannot happen in the middle of a run",
          help: "say it in a scenario's `given`", at: happening.place)
      default: try await ask(happening, details, occasion)
      }
      trace.decide("happening", happening.kind.rawValue, why: happening.kind.words)
    }
    return StepReport("success")
  }

  /// The user has signed in with the app, for real and in another process of it: the cache, the browser and the platform
  /// hold what that leaves.
  private func signIn(
    _ happening: Happening, _ details: JSON, _ occasion: Occasion
  ) async throws(UnresolvedValue) {
    let subject = subject(of: happening.kind, details, occasion)
    let app = details["client"]?.string.flatMap { apps[$0] } ?? occasion.app
    var person = PersonAtKeyboard()
    person.username = subject["user"]?.string
    let seated = person
    let scopes = subject["scopes"]?.array?.compactMap(\.string) ?? subject["scopes"]?.string.map { [$0] }
    var parameters = InteractiveParameters(PublicClient.TokenParameters(scopes: scopes ?? app.settings.scopes))
    parameters.promptType = .login
    parameters.loginHint = person.username
    let request = parameters
    do throws(MSALError) {
      let application = try app.inAnotherProcess()
      let outcome = await SeatedBrowser.$seat.withValue(Seat(counted: false) { _ in seated }) {
        () async -> Result<Void, MSALError> in
        do throws(MSALError) {
          _ = try await application.acquireToken(request)
          return .success(())
        } catch {
          return .failure(error)
        }
      }
      try outcome.get()
    } catch {
      throw UnresolvedValue(
        "\(person.username ?? "the user") could not sign in: \(error.message) [\(error.outcomeName)]",
        at: happening.place)
    }
  }

  /// The device is whoever's turn it is from now on: every app is started again on it.
  private func share() throws(UnresolvedValue) {
    do throws(MSALError) {
      let process = ClientProcess()
      for app in apps.values { try app.restart(on: .shared, process) }
    } catch {
      throw UnresolvedValue("an app cannot be started again: \(error.message)")
    }
  }

  private func signOutEverybody(_ app: AppClient, _ happening: Happening) async throws(UnresolvedValue) {
    do throws(MSALError) {
      for account in try app.application.accounts() {
        try await app.application.signOut(SignOutParameters(account: account))
      }
    } catch {
      throw UnresolvedValue(error.message, at: happening.place)
    }
  }

  /// Asks the platform to make it happen.
  private func ask(
    _ happening: Happening, _ details: JSON, _ occasion: Occasion
  ) async throws(UnresolvedValue) {
    var value = details
    if Self.aboutSomebody.contains(happening.kind) { value = subject(of: happening.kind, details, occasion) }
    let body: JSON = [value.isNull ? .string(happening.kind.rawValue) : .object([happening.kind.rawValue: value])]
    let url = "https://\(occasion.app.settings.authority.environment)/_authflow/happenings"
    guard
      let request = RequestMessage(
        method: .post, url: url, headers: [.contentType: "application/json"], body: Array(body.text().utf8))
    else { return }
    do throws(TransportFailure) {
      let response = try await setup.world.http.send(request)
      guard response.head.status.code != 200 else {
        if happening.kind == .fault { chronicle.fault(at: happening.place) }
        return
      }
      let problems = (try? JSON(parsing: response.body))?["problems"]?.array?.compactMap(\.string) ?? []
      throw TransportFailure.badResponse(
        problems.isEmpty ? "\(response.head.status.code)" : problems.joined(separator: "; "))
    } catch {
      throw UnresolvedValue("\(happening.kind.rawValue) did not happen: \(error.explanation)", at: happening.place)
    }
  }

  /// Happenings about the step's user and the app, where nobody else is named.
  private static let aboutSomebody: Set<HappeningKind> = [
    .browserSignedOut, .accessTokenExpired, .refreshTokenExpired, .passwordChanged, .passwordExpired, .usernameChanged,
    .sessionsRevoked, .userDisabled, .userDeleted, .consentGranted, .consentRevoked, .appDisabled,
  ]

  /// Whom it is about, written out: a string is the user (the app for `appDisabled`), a list is scopes.
  private func subject(of kind: HappeningKind, _ details: JSON, _ occasion: Occasion) -> JSON {
    var subject: JSON = [:]
    if let text = details.string {
      subject[kind == .appDisabled ? "client" : "user"] = .string(text)
    } else if details.array != nil {
      subject["scopes"] = details
    } else if details.object != nil {
      subject = details
    }
    if subject["user"] == nil, let name = occasion.app.account?.username ?? occasion.seat(interactions).username {
      subject["user"] = .string(name)
    }
    let named = subject["client"]?.string.flatMap { apps[$0]?.settings.clientID }
    if let client = named ?? (subject["client"] == nil ? occasion.app.settings.clientID : nil) {
      subject["client"] = .string(client)
    }
    return subject
  }
}
