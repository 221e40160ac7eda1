/// The words by which expectations, captures, `when` and `assert` speak about a step's result; `$` is its value.
package enum ResultField: String, Sendable, CaseIterable {
  case outcome, status, headers, tokenSource, scopes, idToken, account, previousAccount, error, screens, webview, sent,
    attempts, duration

  /// One line: what the word stands for.
  package var words: String {
    switch self {
    case .outcome: "what became of the step"
    case .status: "the HTTP status of the call"
    case .headers: "the headers of the call's answer; names ignore case"
    case .tokenSource: "where the token came from: cache, refreshToken, authorizationCode or deviceCode"
    case .scopes: "the scopes that were granted"
    case .idToken: "the claims of the ID token"
    case .account: "the account that the result is for"
    case .previousAccount: "the account before, where another one is the current account now"
    case .error: "the error: \(members.map { "error.\($0)" }.joined(separator: ", "))"
    case .screens: "the pages that the user saw, in order"
    case .webview: "what the page was to be shown in, by MSALWebviewType's names"
    case .sent: "the request: sent.prompt, sent.scope, sent.host, sent.headers"
    case .attempts: "how often the step was tried"
    case .duration: "how long it took, in seconds; on the live platform only"
    }
  }

  /// Whether a mapping that is expected of the word is read member by member instead of as one value.
  var isNamespace: Bool {
    switch self {
    case .headers, .idToken, .account, .previousAccount, .error, .sent: true
    default: false
    }
  }

  /// The members that are known; empty where any may be there.
  package var members: [String] {
    guard self == .error else { return [] }
    return [
      "msal", "msalCode", "internalCode", "oauth", "suberror", "code", "declinedScopes", "grantedScopes", "httpStatus",
      "throttled", "correlationId", "description", "userInfo",
    ]
  }

  /// Whether the word's values are one of a few: then an expectation of another one can never hold.
  package var values: [String] {
    switch self {
    case .tokenSource: ["cache", "refreshToken", "authorizationCode", "deviceCode"]
    case .screens: Screen.allCases.map(\.rawValue)
    case .webview: WebviewType.allCases.map(\.rawValue)
    default: []
    }
  }
}

/// The pages that a user may meet.
package enum Screen: String, Sendable, CaseIterable {
  case pickAccount, username, password, mfa, staySignedIn, consent, adminApproval, changePassword, signUp, deviceCode,
    signedOut, error
}
