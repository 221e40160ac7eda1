extension AADSTS.Remedy {
  /// General advice for errors with this remedy.
  package var advice: String {
    switch self {
    case .interactive:
      "Sign in interactively with the same scopes and account, and pass the claims from the response if there are any. The user can resolve the error on the sign-in page."
    case .beyondSignIn:
      "Sign in interactively once, so that the user sees the requirement. Try again after the user has met it, for example by enrolling the device or installing an app. Do not retry in a loop."
    case .developerOrAdmin:
      "Users cannot resolve this error. Correct the app registration or the request, or contact a tenant administrator."
    case .differentRequest:
      "Correct the request or the user's input. Showing the sign-in page again does not help."
    case .wait:
      "Wait as long as Retry-After specifies, and try again. Without that header, retry with exponential backoff."
    case .poll: "Continue polling at the specified interval. This is not a failure."
    case .restart: "Restart the flow."
    }
  }
}

extension AADSTS {
  /// The recommended action for the app or its developer.
  package var advice: String { adviceOverride ?? remedy.advice }

  /// A description of how MSAL handles the error in silent and interactive calls.
  package var reaction: String {
    guard let error else {
      return staysOnPage
        ? Self.pageReaction
        : "the OAuth error is not documented. MSAL uses only the error and suberror, never the number."
    }
    if remedy == .poll { return "the device code flow continues to poll." }
    let description = OAuthErrorDescription.named(error)
    if let description, description.interactiveCode == nil {
      return
        "MSAL for Apple platforms does not send a request that can fail with this error. A device code step returns the error as its outcome."
    }
    let silent = OAuthErrorDescription.silentCode(error, suberror: suberror)
    let number = "MSALSTSErrorCodesKey contains \(number)"
    if staysOnPage {
      return
        "silent: \(silent.displayName), if the service returns the error for a refresh token; \(number). Interactive: \(Self.pageReaction)"
    }
    guard let interactive = description?.interactiveCode, interactive != silent else {
      return "\(silent.displayName); \(number)."
    }
    return "silent: \(silent.displayName); interactive: \(interactive.displayName). \(number)."
  }

  private static let pageReaction =
    "the browser stays on the service's error page. MSAL returns MSALErrorUserCanceled (-50005) when the user closes it."

  /// Describes a number that the table does not contain, based on Microsoft's numbering scheme.
  package static func nearby(_ number: Int) -> CodeRange {
    let text = String(number)
    var shorter: AADSTS?
    for length in stride(from: text.count - 1, through: 5, by: -1) where shorter == nil {
      shorter = Int(text.prefix(length)).flatMap(numbered)
    }
    let range =
      switch text.prefix(2) {
      case "16": "about choosing an account or an identity provider"
      case "50": "about the user, the session, and its tokens"
      case "51": "about the user and the directory"
      case "53": "about Conditional Access"
      case "54": "about Conditional Access and authorization codes"
      case "65": "about consent and app permissions"
      case "70": "about grants, and about the app and its credentials"
      case "75": "about SAML"
      case "80", "81": "about on-premises passwords and Kerberos"
      case "90": "about malformed requests, the tenant, and transient errors"
      case "13": "about device keys and passwordless sign-in"
      case "28": "about scopes and resources"
      case "10": "about certificates"
      case "12", "22": "about the user's account and its registration"
      case "40", "44": "about federated identity providers"
      default: unknownRange
      }
    return CodeRange(range: range, shorter: shorter)
  }

  /// A range of numbers with a common topic.
  package struct CodeRange: Sendable {
    /// The topic of the range, starting with "about".
    package var range: String
    /// The entry for a shorter number with the same first digits. The longer number can be a special case of this
    /// entry.
    package var shorter: AADSTS?

    package var isInKnownRange: Bool { range != AADSTS.unknownRange }
  }

  private static let unknownRange = "unknown"
}
