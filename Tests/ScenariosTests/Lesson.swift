import Directory
import Documents
import OrderedCollections
import Scenarios
import WorkflowModel
import WorkflowRunner

/// A situation that every app meets sooner or later, so that every shipped workflow shows what becomes of it.
enum Lesson: String, CaseIterable, Sendable {
  case firstRun = "first run"
  case returningUser = "returning user"
  case accessTokenExpired = "access token expired"
  case refreshTokenUnused = "refresh token unused for too long"
  case refreshTokenAtItsEnd = "refresh token at the end of its longest life"
  case passwordChanged = "password changed"
  case sessionsRevoked = "sessions revoked"
  case secondFactorRequired = "MFA required"
  case secondFactorDenied = "MFA denied"
  case consentDeclined = "consent declined"
  case consentDeclinedInPart = "consent declined in part"
  case adminConsentRequired = "admin consent required"
  case userCancels = "the user cancels"
  case accountDisabled = "account disabled"
  case accountDeleted = "account deleted"
  case accessBlocked = "conditional access blocks"
  case compliantDeviceRequired = "compliant device required"
  case claimsChallenge = "claims challenge from Graph"
  case graphForbids = "Graph 403"
  case graphFindsNothing = "Graph 404"
  case graphBusyAndSaysHowLong = "Graph 429 with Retry-After"
  case graphBusy = "Graph 429 without Retry-After"
  case graphRecovers = "Graph 503, then recovery"
  case offlineAtEveryStep = "offline at every step"
  case keysRotated = "signing keys rotated"
  case clockMovedBack = "clock moved back"
  case cacheCorrupted = "cache corrupted"
  case secondAccount = "second account"
  case guest = "guest in another tenant"
  case personalAccount = "personal account"
  case customer = "B2C"
  case signedOutElsewhere = "signed out in another process"
}

/// A scenario that was run, with what a lesson looks at.
struct TaughtRun: Sendable {
  let workflow: Workflow
  let body: ScenarioBody
  let result: ScenarioResult
  /// What was given, and what happened before its steps or as one of them.
  private let events: [WorkflowModel.ScriptedEvent]
  /// Every time that a step ran, with what is known of it.
  private let steps: [(step: Step, outcome: String, facts: JSON)]

  init?(_ test: ScenarioCase, _ report: ScenarioReport) {
    guard let result = report.result else { return nil }
    workflow = test.loaded.workflow
    body = test.scenario.body
    self.result = result
    var events = (body.given ?? []) + body.before.values.flatMap(\.events)
    let own = workflow.ownSteps
    var steps: [(step: Step, outcome: String, facts: JSON)] = []
    for (id, runs) in result.knowledge.facts.runs {
      guard let step = own[id]?.step else { continue }
      for facts in runs {
        guard let outcome = facts["outcome"]?.string, outcome != "skipped", outcome != "exhausted" else { continue }
        if case .simulate(let more) = step.action { events += more }
        steps.append((step, outcome, facts))
      }
    }
    self.events = events
    self.steps = steps
  }

  // MARK: What happened

  private func happened(_ kind: EventKind) -> Bool { events.contains { $0.kind == kind } }

  private func refused(with code: String) -> Bool { steps.contains { $0.facts["error"]?["code"]?.string == code } }

  /// Azure AD B2C has codes of its own.
  private var isRevoked: Bool { refused(with: "AADSTS50173") || refused(with: "AADB2C90129") }

  private func ended(_ outcome: String, _ kinds: Set<String>) -> Bool {
    steps.contains { $0.outcome == outcome && kinds.contains($0.step.kind.key) }
  }

  private func saw(_ screen: String) -> Bool {
    steps.contains { $0.facts["screens"]?.array?.contains(.string(screen)) == true }
  }

  /// The scenario's own user does something.
  private func asked(_ holds: (UserBehavior) -> Bool) -> Bool { body.user?.entries.contains(where: holds) == true }

  private static let calls: Set<String> = ["callGraph", "callAPI"]
  private static let signIns: Set<String> = ["interactive", "deviceCode"]

  /// Faults of what is called, not of the platform's own endpoints.
  private var faultsOfCalls: [JSON] {
    events.compactMap { event in
      guard event.kind == .fault, let fault = event.details,
        let place = fault["at"]?.string, place == "graph" || place.contains("/v1.0/") || place.contains("/hello")
      else { return nil }
      return fault["response"]
    }
  }

  /// A call was answered so, tried again, and succeeded.
  private func recovered(_ holds: (JSON) -> Bool) -> Bool {
    faultsOfCalls.contains(where: holds)
      && steps.contains {
        Self.calls.contains($0.step.kind.key) && $0.outcome == "success" && ($0.facts["attempts"]?.integer ?? 1) > 1
      }
  }

  /// Everybody of whom a token or an account came, and everybody who was said to be signed in.
  private var people: Set<String> {
    var people = Set(steps.compactMap { $0.facts["account"]?["username"]?.string })
    for event in events where event.kind == .signedIn {
      let details = event.details
      people.insert(details?.string ?? details?["user"]?.string ?? "")
    }
    people.remove("")
    return people
  }

  /// The steps before which the network goes, or that ended without it.
  var stepsWithoutNetwork: Set<String> {
    var steps = Set(self.steps.filter { $0.outcome == "offline" }.map(\.step.id))
    for before in body.before.values where before.events.contains(where: { $0.kind == .offline }) {
      steps.insert(before.step.id)
    }
    return steps
  }

  /// Whether the run shows the situation; `offlineAtEveryStep` takes several runs.
  func shows(_ lesson: Lesson) -> Bool {
    switch lesson {
    case .firstRun:
      result.succeeded && !(body.given ?? []).contains { $0.kind == .signedIn }
        && (ended("success", Self.signIns) || ended("serverDeclinedScopes", Self.signIns))
    case .returningUser:
      result.succeeded && body.given?.isEmpty == false && (body.given ?? []).allSatisfy { $0.kind == .signedIn }
    case .accessTokenExpired:
      (happened(.accessTokenExpired) || happened(.wait) || workflow.steps.contains { $0.kind.key == "wait" })
        && steps.contains { $0.outcome == "success" && $0.facts["tokenSource"]?.string == "refreshToken" }
    case .refreshTokenUnused: refused(with: "AADSTS700082") || refused(with: "AADB2C90080")
    case .refreshTokenAtItsEnd: refused(with: "AADSTS700081") || refused(with: "AADB2C90080")
    case .passwordChanged: happened(.passwordChanged) && isRevoked
    case .sessionsRevoked: happened(.sessionsRevoked) && isRevoked
    case .secondFactorRequired: saw("mfa")
    case .secondFactorDenied:
      // Whoever is asked on another device leaves the app waiting until the code has ended.
      refused(with: "AADSTS500121") || (asked { $0.mfa != nil } && ended("expiredToken", Self.signIns))
    case .consentDeclined:
      refused(with: "AADSTS65004") || (ended("authorizationDeclined", Self.signIns))
    case .consentDeclinedInPart: ended("serverDeclinedScopes", Self.signIns)
    case .adminConsentRequired: refused(with: "AADSTS90094") || saw("adminApproval")
    case .userCancels:
      asked { $0.cancels != nil } && ["userCanceled", "expiredToken"].contains { ended($0, Self.signIns) }
    case .accountDisabled: refused(with: "AADSTS50057")
    case .accountDeleted: happened(.userDeleted) && (refused(with: "AADSTS50034") || refused(with: "AADB2C90128"))
    case .accessBlocked: refused(with: "AADSTS53003")
    case .compliantDeviceRequired: refused(with: "AADSTS53000")
    case .claimsChallenge: ended("claimsChallenge", Self.calls)
    case .graphForbids: ended("forbidden", Self.calls)
    case .graphFindsNothing: ended("notFound", Self.calls)
    case .graphBusyAndSaysHowLong: recovered { $0["status"] == 429 && $0["retryAfter"] != nil }
    case .graphBusy: recovered { $0["status"] == 429 && $0["retryAfter"] == nil }
    case .graphRecovers: recovered { $0["status"] == 503 }
    case .offlineAtEveryStep: false
    case .keysRotated: happened(.keysRotated)
    case .clockMovedBack:
      events.contains { $0.kind == .clock && ($0.details?.string ?? "") < "2025-01-01" }
    case .cacheCorrupted: happened(.cacheCorrupted)
    case .secondAccount: people.count > 1 || ended("ambiguousAccount", ["loadAccount"])
    case .guest: steps.contains { $0.facts["$"]?["tenantProfile"]?["isHomeTenantProfile"] == false }
    case .personalAccount: asked { $0.username?.literal == "pat@outlook.com" } || people.contains("pat@outlook.com")
    case .customer:
      steps.contains { $0.facts["$"]?["authority"]?.string?.contains(".b2clogin.com") == true }
    case .signedOutElsewhere: happened(.signedOut)
    }
  }
}
