import IdentityPlatform

/// The name of an outcome. Outcomes for errors that MSAL returns are named after MSAL's error codes.
///
/// The type does not conform to `RawRepresentable`, because it would then compare and hash its spelling.
package enum OutcomeName: Hashable, CaseIterable, Sendable, CustomStringConvertible {
  case language(LanguageOutcome)
  case msal(MSALErrorCode)
  case `internal`(MSALInternalErrorCode)

  /// The outcomes that the workflow language defines.
  package enum LanguageOutcome: String, CaseIterable, Sendable {
    case success, found, notFound, holds, violated, skipped, exhausted, offline, timedOut
    case authorizationDeclined, expiredToken
    case claimsChallenge, unauthorized, forbidden, throttled, serviceUnavailable, otherStatus
    /// A cancellation ended the run.
    case interrupted
    /// A debugger ended the run.
    case stopped
  }

  /// Parses the name in workflows and traces. Returns nil if no outcome has this name.
  package init?(rawValue: String) {
    if let outcome = LanguageOutcome(rawValue: rawValue) {
      self = .language(outcome)
    } else if let code = MSALErrorCode.named(rawValue) {
      self = .msal(code)
    } else if let code = MSALInternalErrorCode.named(rawValue) {
      self = .internal(code)
    } else {
      return nil
    }
  }

  /// The name in workflows and traces, such as `interactionRequired`.
  package var rawValue: String {
    switch self {
    case .language(let outcome): outcome.rawValue
    case .msal(let code): code.outcome
    case .internal(let code): code.outcome
    }
  }

  package var description: String { rawValue }

  package static var allCases: [OutcomeName] {
    LanguageOutcome.allCases.map { .language($0) } + MSALErrorCode.allCases.map { .msal($0) }
      + MSALInternalErrorCode.allCases.map { .internal($0) }
  }

  /// Whether MSAL reports the error with the code -50000 and an internal code.
  var isInternal: Bool {
    switch self {
    case .language: false
    case .msal(let code): !code.isReportedDirectly
    case .internal: true
    }
  }
}

extension OutcomeName {
  package static let success = language(.success)
  package static let found = language(.found)
  package static let notFound = language(.notFound)
  package static let holds = language(.holds)
  package static let violated = language(.violated)
  package static let skipped = language(.skipped)
  package static let exhausted = language(.exhausted)
  package static let offline = language(.offline)
  package static let timedOut = language(.timedOut)
  package static let authorizationDeclined = language(.authorizationDeclined)
  package static let expiredToken = language(.expiredToken)
  package static let claimsChallenge = language(.claimsChallenge)
  package static let unauthorized = language(.unauthorized)
  package static let forbidden = language(.forbidden)
  package static let throttled = language(.throttled)
  package static let serviceUnavailable = language(.serviceUnavailable)
  package static let otherStatus = language(.otherStatus)
  package static let interrupted = language(.interrupted)
  package static let stopped = language(.stopped)

  package static let interactionRequired = msal(.interactionRequired)
  package static let serverDeclinedScopes = msal(.serverDeclinedScopes)
  package static let userCanceled = msal(.userCanceled)
  package static let ambiguousAccount = `internal`(.ambiguousAccount)
  package static let invalidParameter = `internal`(.invalidParameter)
  package static let unexpected = `internal`(.unexpected)

  /// Whether the step ran. A skipped step and a step that reached its `maxRuns` limit did not run.
  package var isPerformed: Bool { self != .skipped && self != .exhausted }
}
