import IdentityPlatform
import PublicClient
import Testing
import WorkflowModel

/// Tests that each step type has an outcome for every MSAL error that it can receive.
@Suite struct OutcomeCoverageTests {
  /// Step types that send requests. They can receive any MSAL error that is not listed below.
  static let sendingRequests = ["silent", "interactive", "deviceCode", "signout"]

  /// Errors that only some step types can receive. An empty list means that no step type can receive the error.
  static let special: [String: [String]] = [
    "ambiguousAccount": ["loadAccount"],
    "brokerNotAvailable": ["deviceInfo"],
    "serverDeclinedScopes": ["silent", "interactive", "deviceCode"],
    "workplaceJoinRequired": ["interactive"], "insufficientDeviceStrength": ["interactive"],
    "mdmEnrollmentCompletedNeedsRetry": ["interactive"],
    "interactiveSessionAlreadyRunning": ["interactive", "signout"],
    "noViewController": ["interactive", "signout"], "invalidState": ["interactive", "signout"],
    // These errors occur before the first step, when the application object is created.
    "redirectSchemeNotRegistered": [], "invalidRedirectURI": [],
    // This error occurs only as the underlying error of another error.
    "unexpectedHttpResponse": [],
    // A nil account results in `interactionRequired`. In MSAL, a sign-in with an account that was not requested is not
    // an error.
    "accountRequired": [], "mismatchedUser": [],
  ]

  static func outcome(of error: IdentityCoreError) -> String {
    let (code, internalCode) = error.msal
    guard code == .internal, let internalCode else { return code.outcome }
    return MSALInternalErrorCode(rawValue: internalCode)?.outcome ?? MSALErrorCode(rawValue: internalCode)?.outcome
      ?? code.outcome
  }

  @Test(arguments: IdentityCoreError.allCases)
  func everyErrorHasAnOutcome(error: IdentityCoreError) throws {
    let outcome = try #require(OutcomeName(rawValue: Self.outcome(of: error)))
    for key in Self.special[outcome.rawValue] ?? Self.sendingRequests {
      let kind = try #require(StepKind.named(key))
      #expect(kind.outcome(named: outcome) != nil, "\(key) cannot end in \(outcome)")
    }
  }

  @Test(arguments: StepKind.all.map(\.key))
  func internalOutcomesMatchInternalMSALErrors(key: String) throws {
    let kind = try #require(StepKind.named(key))
    let reported = MSALErrorCode.allCases.filter(\.isReportedDirectly).map(\.outcome)
    let known = Set(MSALInternalErrorCode.allCases.map(\.outcome))
      .union(MSALErrorCode.allCases.filter { !$0.isReportedDirectly }.map(\.outcome))
    for outcome in kind.outcomes {
      if outcome.isInternal {
        #expect(known.contains(outcome.name.rawValue), "\(outcome.name) is not an internal MSAL error")
      } else {
        #expect(
          !known.contains(outcome.name.rawValue) || reported.contains(outcome.name.rawValue),
          "\(outcome.name) is an internal MSAL error")
      }
    }
  }

  @Test func errorNumbersInDescriptionsMatchMSAL() throws {
    let numbers = Dictionary(
      uniqueKeysWithValues: MSALErrorCode.allCases.map { ($0.outcome, $0.rawValue) }
        + MSALInternalErrorCode.allCases.map { ($0.outcome, $0.rawValue) })
    var count = 0
    for kind in StepKind.all {
      for outcome in kind.outcomes {
        guard let match = outcome.summary.firstMatch(of: /\((-\d+)\)/), let number = Int(match.1) else { continue }
        count += 1
        #expect(numbers[outcome.name.rawValue] == number, "\(kind.key).\(outcome.name)")
      }
    }
    #expect(count > 40)
  }
}
