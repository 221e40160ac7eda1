import Directory
import Documents
import OrderedCollections
import Scenarios
import WorkflowModel
import WorkflowRunner

/// A case that most apps encounter. The scenarios of each shipped workflow cover all cases except for the listed
/// exceptions.
enum CommonCase: String, CaseIterable, Sendable {
  case firstRun = "first run"
  case returningUser = "returning user"
  case accessTokenExpired = "access token expired"
  case refreshTokenUnused = "refresh token unused for too long"
  case refreshTokenMaximumAge = "refresh token at its maximum age"
  case passwordChanged = "password changed"
  case sessionsRevoked = "sessions revoked"
  case secondFactorRequired = "MFA required"
  case secondFactorDenied = "MFA denied"
  case consentDeclined = "consent declined"
  case consentPartlyDeclined = "consent partly declined"
  case adminConsentRequired = "admin consent required"
  case userCancels = "user cancels"
  case accountDisabled = "account disabled"
  case accountDeleted = "account deleted"
  case blockedByConditionalAccess = "blocked by Conditional Access"
  case compliantDeviceRequired = "compliant device required"
  case claimsChallenge = "claims challenge from Graph"
  case graphForbidden = "Graph 403"
  case graphNotFound = "Graph 404"
  case graphThrottledWithRetryAfter = "Graph 429 with Retry-After"
  case graphThrottledWithoutRetryAfter = "Graph 429 without Retry-After"
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

/// A completed run of a scenario, with the data that shows which common cases it covers.
struct CompletedRun: Sendable {
  let workflow: Workflow
  let body: ScenarioBody
  let result: ScenarioResult
  /// The preconditions and the events before or in steps.
  private let events: [WorkflowModel.ScriptedEvent]
  /// The executed steps with their outcomes and data.
  private let steps: [(step: Step, outcome: String, facts: JSON)]

  init?(_ test: ScenarioCase, _ report: ScenarioReport) {
    guard let result = report.result else { return nil }
    workflow = test.loaded.workflow
    body = test.scenario.body
    self.result = result
    var events = (body.given ?? []) + body.before.values.flatMap(\.events)
    let ownSteps = workflow.ownSteps
    var steps: [(step: Step, outcome: String, facts: JSON)] = []
    for (id, runs) in result.context.facts.runs {
      guard let step = ownSteps[id]?.step else { continue }
      for facts in runs {
        guard let outcome = facts["outcome"]?.string, outcome != "skipped", outcome != "exhausted" else { continue }
        if case .simulate(let more) = step.action { events += more }
        steps.append((step, outcome, facts))
      }
    }
    self.events = events
    self.steps = steps
  }

  // MARK: Events

  private func occurred(_ kind: EventKind) -> Bool { events.contains { $0.kind == kind } }

  private func failed(with code: String) -> Bool { steps.contains { $0.facts["error"]?["code"]?.string == code } }

  /// Whether the refresh token was revoked. Azure AD B2C uses a different error code.
  private var isRevoked: Bool { failed(with: "AADSTS50173") || failed(with: "AADB2C90129") }

  private func finished(_ outcome: String, _ kinds: Set<String>) -> Bool {
    steps.contains { $0.outcome == outcome && kinds.contains($0.step.kind.key) }
  }

  private func showed(_ screen: String) -> Bool {
    steps.contains { $0.facts["screens"]?.array?.contains(.string(screen)) == true }
  }

  /// Returns whether an entry of the scenario's user behavior matches.
  private func hasUserBehavior(_ holds: (UserBehavior) -> Bool) -> Bool {
    body.user?.entries.contains(where: holds) == true
  }

  private static let calls: Set<String> = ["callGraph", "callAPI"]
  private static let signIns: Set<String> = ["interactive", "deviceCode"]

  /// The faults in calls to APIs, excluding the platform's own endpoints.
  private var faultsOfCalls: [JSON] {
    events.compactMap { event in
      guard event.kind == .fault, let fault = event.details,
        let place = fault["at"]?.string, place == "graph" || place.contains("/v1.0/") || place.contains("/hello")
      else { return nil }
      return fault["response"]
    }
  }

  /// Returns whether an API call received a matching response and succeeded after a retry.
  private func recovered(_ holds: (JSON) -> Bool) -> Bool {
    faultsOfCalls.contains(where: holds)
      && steps.contains {
        Self.calls.contains($0.step.kind.key) && $0.outcome == "success" && ($0.facts["attempts"]?.integer ?? 1) > 1
      }
  }

  /// All users with a token, an account, or a `signedIn` event.
  private var users: Set<String> {
    var users = Set(steps.compactMap { $0.facts["account"]?["username"]?.string })
    for event in events where event.kind == .signedIn {
      let details = event.details
      users.insert(details?.string ?? details?["user"]?.string ?? "")
    }
    users.remove("")
    return users
  }

  /// The steps that ran without a network.
  var stepsWithoutNetwork: Set<String> {
    var steps = Set(self.steps.filter { $0.outcome == "offline" }.map(\.step.id))
    for before in body.before.values where before.events.contains(where: { $0.kind == .offline }) {
      steps.insert(before.step.id)
    }
    return steps
  }

  /// Returns whether the run covers a case. `offlineAtEveryStep` requires several runs.
  func covers(_ commonCase: CommonCase) -> Bool {
    switch commonCase {
    case .firstRun:
      result.succeeded && !(body.given ?? []).contains { $0.kind == .signedIn }
        && (finished("success", Self.signIns) || finished("serverDeclinedScopes", Self.signIns))
    case .returningUser:
      result.succeeded && body.given?.isEmpty == false && (body.given ?? []).allSatisfy { $0.kind == .signedIn }
    case .accessTokenExpired:
      (occurred(.accessTokenExpired) || occurred(.wait) || workflow.steps.contains { $0.kind.key == "wait" })
        && steps.contains { $0.outcome == "success" && $0.facts["tokenSource"]?.string == "refreshToken" }
    case .refreshTokenUnused: failed(with: "AADSTS700082") || failed(with: "AADB2C90080")
    case .refreshTokenMaximumAge: failed(with: "AADSTS700081") || failed(with: "AADB2C90080")
    case .passwordChanged: occurred(.passwordChanged) && isRevoked
    case .sessionsRevoked: occurred(.sessionsRevoked) && isRevoked
    case .secondFactorRequired: showed("mfa")
    case .secondFactorDenied:
      // If the user cancels on another device, the app waits until the code expires.
      failed(with: "AADSTS500121") || (hasUserBehavior { $0.mfa != nil } && finished("expiredToken", Self.signIns))
    case .consentDeclined:
      failed(with: "AADSTS65004") || (finished("authorizationDeclined", Self.signIns))
    case .consentPartlyDeclined: finished("serverDeclinedScopes", Self.signIns)
    case .adminConsentRequired: failed(with: "AADSTS90094") || showed("adminApproval")
    case .userCancels:
      hasUserBehavior { $0.cancels != nil } && ["userCanceled", "expiredToken"].contains { finished($0, Self.signIns) }
    case .accountDisabled: failed(with: "AADSTS50057")
    case .accountDeleted: occurred(.userDeleted) && (failed(with: "AADSTS50034") || failed(with: "AADB2C90128"))
    case .blockedByConditionalAccess: failed(with: "AADSTS53003")
    case .compliantDeviceRequired: failed(with: "AADSTS53000")
    case .claimsChallenge: finished("claimsChallenge", Self.calls)
    case .graphForbidden: finished("forbidden", Self.calls)
    case .graphNotFound: finished("notFound", Self.calls)
    case .graphThrottledWithRetryAfter: recovered { $0["status"] == 429 && $0["retryAfter"] != nil }
    case .graphThrottledWithoutRetryAfter: recovered { $0["status"] == 429 && $0["retryAfter"] == nil }
    case .graphRecovers: recovered { $0["status"] == 503 }
    case .offlineAtEveryStep: false
    case .keysRotated: occurred(.keysRotated)
    case .clockMovedBack:
      events.contains { $0.kind == .clock && ($0.details?.string ?? "") < "2025-01-01" }
    case .cacheCorrupted: occurred(.cacheCorrupted)
    case .secondAccount: users.count > 1 || finished("ambiguousAccount", ["loadAccount"])
    case .guest: steps.contains { $0.facts["$"]?["tenantProfile"]?["isHomeTenantProfile"] == false }
    case .personalAccount:
      hasUserBehavior { $0.username?.literal == "pat@outlook.com" } || users.contains("pat@outlook.com")
    case .customer:
      steps.contains { $0.facts["$"]?["authority"]?.string?.contains(".b2clogin.com") == true }
    case .signedOutElsewhere: occurred(.signedOut)
    }
  }
}
