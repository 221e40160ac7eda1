import IdentityPlatform
import PublicClient
import Testing
import WorkflowModel

/// Whatever MSAL can say, a step has an outcome of that name: the machine never meets one outside its closed sets.
@Suite struct OutcomeCoverageTests {
  /// Steps that ask servers: any of MSAL's errors that is not listed below may come to them.
  static let asking = ["silent", "interactive", "deviceCode", "signout"]

  /// Errors that only some steps can meet; an empty list is for those that no step meets.
  static let special: [String: [String]] = [
    "ambiguousAccount": ["loadAccount"],
    "brokerNotAvailable": ["deviceInfo"],
    "serverDeclinedScopes": ["silent", "interactive", "deviceCode"],
    "workplaceJoinRequired": ["interactive"], "insufficientDeviceStrength": ["interactive"],
    "mdmEnrollmentCompletedNeedsRetry": ["interactive"],
    "interactiveSessionAlreadyRunning": ["interactive", "signout"],
    "noViewController": ["interactive", "signout"], "invalidState": ["interactive", "signout"],
    // When the application object is made, before the first step.
    "redirectSchemeNotRegistered": [], "invalidRedirectURI": [],
    // Inside another error only.
    "unexpectedHttpResponse": [],
    // A nil account is told as interactionRequired, and another account than the one asked for is no error to MSAL.
    "accountRequired": [], "mismatchedUser": [],
  ]

  static func outcome(of error: IdentityCoreError) -> String {
    let (code, internalCode) = error.msal
    guard code == .internal, let internalCode else { return code.outcome }
    return MSALInternalErrorCode(rawValue: internalCode)?.outcome ?? MSALErrorCode(rawValue: internalCode)?.outcome
      ?? code.outcome
  }

  @Test(arguments: IdentityCoreError.allCases)
  func everyErrorHasItsOutcome(error: IdentityCoreError) throws {
    let outcome = Self.outcome(of: error)
    for key in Self.special[outcome] ?? Self.asking {
      let kind = try #require(StepKind.named(key))
      #expect(kind.outcome(named: outcome) != nil, "\(key) cannot end in \(outcome)")
    }
  }

  @Test(arguments: StepKind.all.map(\.key))
  func everyOutcomeThatIsAnInternalErrorIsMSALs(key: String) throws {
    let kind = try #require(StepKind.named(key))
    let surfacing = MSALErrorCode.allCases.filter(\.surfacesAsItself).map(\.outcome)
    let known = Set(MSALInternalErrorCode.allCases.map(\.outcome))
      .union(MSALErrorCode.allCases.filter { !$0.surfacesAsItself }.map(\.outcome))
    for outcome in kind.outcomes {
      if outcome.isInternal {
        #expect(known.contains(outcome.name), "\(outcome.name) is none of MSAL's internal errors")
      } else {
        #expect(!known.contains(outcome.name) || surfacing.contains(outcome.name), "internal catches \(outcome.name)")
      }
    }
  }

  /// What a description says in numbers is what MSAL's enumerations say.
  @Test func numbersInDescriptionsAreRight() throws {
    let numbers = Dictionary(
      uniqueKeysWithValues: MSALErrorCode.allCases.map { ($0.outcome, $0.rawValue) }
        + MSALInternalErrorCode.allCases.map { ($0.outcome, $0.rawValue) })
    var seen = 0
    for kind in StepKind.all {
      for outcome in kind.outcomes {
        guard let match = outcome.words.firstMatch(of: /\((-\d+)\)/), let number = Int(match.1) else { continue }
        seen += 1
        #expect(numbers[outcome.name] == number, "\(kind.key).\(outcome.name)")
      }
    }
    #expect(seen > 40)
  }
}
