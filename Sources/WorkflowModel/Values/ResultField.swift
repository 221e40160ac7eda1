/// The fields of a step's result that `expect`, `capture`, `when`, and `assert` can use. `$` is the value of the
/// result.
package enum ResultField: String, Sendable, CaseIterable {
  case outcome, status, headers, tokenSource, scopes, idToken, account, previousAccount, error, screens, webview, sent,
    attempts, duration

  /// A one-line description.
  package var summary: String {
    switch self {
    case .outcome: "outcome of the step"
    case .status: "HTTP status of the API response"
    case .headers: "headers of the API response; names are case-insensitive"
    case .tokenSource: "source of the token: `cache`, `refreshToken`, `authorizationCode`, or `deviceCode`"
    case .scopes: "granted scopes"
    case .idToken: "ID token claims"
    case .account: "account in the result"
    case .previousAccount: "previous current account, if the current account changed"
    case .error: "error: \(members.map { "`error.\($0)`" }.joined(separator: ", "))"
    case .screens: "pages that the user saw, in order"
    case .webview: "web view that was configured for the page, as an MSALWebviewType name"
    case .sent: "request: `sent.prompt`, `sent.scope`, `sent.host`, `sent.headers`"
    case .attempts: "number of attempts"
    case .duration: "duration in seconds; available only with the live service"
    }
  }

  /// Whether the members of an expected mapping are separate expectations.
  var isNamespace: Bool {
    switch self {
    case .headers, .idToken, .account, .previousAccount, .error, .sent: true
    default: false
    }
  }

  /// The known members. Empty if any member is possible.
  package var members: [String] {
    guard self == .error else { return [] }
    return [
      "msal", "msalCode", "internalCode", "oauth", "suberror", "code", "declinedScopes", "grantedScopes", "httpStatus",
      "throttled", "correlationId", "description", "userInfo",
    ]
  }

  /// The possible values. Empty if there is no fixed set of values.
  package var values: [String] {
    switch self {
    case .tokenSource: ["cache", "refreshToken", "authorizationCode", "deviceCode"]
    case .screens: Screen.allCases.map(\.rawValue)
    case .webview: WebviewType.allCases.map(\.rawValue)
    default: []
    }
  }
}

/// The pages of the sign-in UI.
package enum Screen: String, Sendable, CaseIterable {
  case pickAccount, username, password, mfa, staySignedIn, consent, adminApproval, changePassword, signUp, deviceCode,
    signedOut, error
}
