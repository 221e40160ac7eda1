extension AADSTS.Remedy {
  /// What to do, as far as the way out alone tells.
  package var advice: String {
    switch self {
    case .interactive:
      "Sign in interactively with the same scopes and account, and with the answer's claims if it has some; the user can mend it on the page."
    case .beyondSignIn:
      "Sign in interactively once, so that the user sees what is asked for, then do that (enrol the device, install the app) and try again. Do not loop."
    case .developerOrAdmin:
      "No user can mend it: correct the app's registration or request, or ask an administrator of the tenant."
    case .differentRequest:
      "Showing the page again changes nothing: correct what is sent, or what the user typed."
    case .wait: "Wait, as long as Retry-After says or with growing pauses, then try again."
    case .poll: "Go on asking at the interval; it is no failure."
    case .restart: "Begin the whole flow again."
    }
  }
}

extension AADSTS {
  /// What an app, or whoever looks after it, should do.
  package var advice: String { ownAdvice ?? wayOut.advice }

  /// What MSAL makes of it, in a silent and in an interactive call.
  package var reaction: String {
    guard let error else {
      return staysOnPage
        ? Self.pageReaction
        : "its OAuth error is not recorded; MSAL decides by error and suberror alone, never by the number."
    }
    if wayOut == .poll { return "it stays inside the device code flow, which goes on asking." }
    if let meaning = OAuthErrorDescription.named(error), meaning.surface == nil {
      return "MSAL for Apple platforms makes no request that could meet it; a device code step tells it as its outcome."
    }
    let silent = OAuthErrorDescription.silentSurface(error, suberror: suberror)
    let number = "MSALSTSErrorCodesKey holds \(number)"
    if staysOnPage {
      return
        "silent: \(silent.words), where the service says it to a refresh token, and \(number). Interactive: \(Self.pageReaction)"
    }
    guard let surface = OAuthErrorDescription.named(error)?.surface, surface != silent else {
      return "\(silent.words); \(number)."
    }
    return "silent: \(silent.words); interactive: \(surface.words). \(number)."
  }

  private static let pageReaction =
    "the browser stays on the service's own page, and MSAL is told nothing until the user closes it: MSALErrorUserCanceled (-50005)."

  /// What can be said of a number that is not in the table, from the way in which Microsoft numbers its errors.
  package static func nearby(_ number: Int) -> CodeRange {
    let text = String(number)
    var shorter: AADSTS?
    for length in stride(from: text.count - 1, through: 5, by: -1) where shorter == nil {
      shorter = Int(text.prefix(length)).flatMap(numbered)
    }
    let range =
      switch text.prefix(2) {
      case "16": "about choosing an account or an identity provider"
      case "50": "about the user, the session and the tokens that prove it"
      case "51": "about the user and the directory"
      case "53": "about conditional access"
      case "54": "about conditional access and codes"
      case "65": "about consent and the permissions that an app lists"
      case "70": "about grants, and about the app and its credentials"
      case "75": "about SAML"
      case "80", "81": "about passwords and Kerberos of an on-premises directory"
      case "90": "about the shape of the request, the tenant, and passing faults"
      case "13": "about keys of devices and passwordless sign-in"
      case "28": "about scopes and resources"
      case "10": "about certificates"
      case "12", "22": "about the user's account and its registration"
      case "40", "44": "about federated identity providers"
      default: unknownRange
      }
    return CodeRange(range: range, shorter: shorter)
  }

  /// What a number's digits alone tell.
  package struct CodeRange: Sendable {
    /// What numbers that begin so are about.
    package var range: String
    /// The entry of the shorter number that it may refine.
    package var shorter: AADSTS?

    package var isInKnownRange: Bool { range != AADSTS.unknownRange }
  }

  private static let unknownRange = "not known here"
}
