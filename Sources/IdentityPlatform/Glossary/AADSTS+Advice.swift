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
  package var advice: String { Self.ownAdvice[number] ?? wayOut.advice }

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

  /// Where more can be said than the way out says.
  private static let ownAdvice: [Int: String] = [
    50_011:
      "Register the redirect URI exactly as it is sent, letter for letter, under \"Mobile and desktop applications\": msauth.<bundle id>://auth for MSAL on Apple platforms. `authflow settings FILE` shows what is sent.",
    50_020:
      "Sign in with another account, use the authority of the account's own tenant (or common), or let an administrator invite the account as a guest.",
    50_034: "Correct the user name, or sign in to the tenant that the account lives in.",
    50_053:
      "Wait a few minutes; or reset the password. An app that signs in by itself must stop repeating a wrong one.",
    50_055: "Sign in interactively: the page asks for a new password.",
    50_057: "An administrator must enable the account again.",
    50_058: "Sign in interactively, without prompt=none. It is what an app with no session is told, and no failure.",
    50_076:
      "Sign in interactively with the claims of the answer: the page asks for the second factor. Password grants cannot satisfy it.",
    50_105: "An administrator must assign the user, or a group, to the enterprise application.",
    50_126: "Correct user name or password. Federated and passwordless accounts have none here.",
    50_173:
      "Sign in interactively. The refresh token is of no use any more (bad_token), MSAL drops it; every device of the user meets this once.",
    50_194:
      "Use the tenant's own authority, https://login.microsoftonline.com/<tenant>; or make the registration multi-tenant.",
    50_196: "Find the loop: keep the tokens in a cache that outlives the process, and stop after a refusal.",
    53_000: "The user must enrol the device, or mend what Company Portal complains about.",
    53_003: "Nothing that the app can do: the policy's administrator must allow this user, app, place or device.",
    53_005: "Use the Intune App SDK, which protects the app and tries again.",
    54_005: "Redeem each code once. Often the redirect is handled twice, or a page was reloaded.",
    65_001:
      "Sign in interactively with the same scopes, so that the user can consent; for permissions that need an administrator, or app-only ones, let one grant consent (the adminconsent endpoint).",
    65_004: "Take it as a \"no\"; say what the permission is for before asking again.",
    65_005: "Add the resource and the permission to the app registration.",
    70_000: "Sign in interactively. The refresh token or code is of no use any more.",
    70_008: "Sign in interactively; a code must be redeemed within ten minutes.",
    70_011:
      "Correct the scopes: a permission's name, a full URI, or <resource>/.default, and never .default with others of that resource.",
    70_043: "Sign in interactively: the organization wants a fresh sign-in every so often.",
    90_002: "Correct the tenant in the authority: a GUID, a verified domain, common, organizations or consumers.",
    90_072: "Sign in with another account, or let an administrator invite this one as a guest.",
    90_094: "Let an administrator consent, by signing in once or through the adminconsent endpoint.",
    500_011:
      "Correct the resource in the scope; if it is right, an administrator must install that API's application in the tenant.",
    500_121: "Sign in again and pass the second factor.",
    500_181: "Redeem a refresh token only with the client id that it was issued to.",
    650_053: "Correct the permission's name; `authflow validate` knows Graph's.",
    700_016:
      "Check the client id; use the tenant that the app is registered in, or make it multi-tenant. A personal account's apps live under consumers.",
    700_025: "Remove the secret from the request: the app is a public client.",
    700_054: "Use response_type=code; do not enable the implicit grant for it.",
    700_082: "Sign in interactively. A refresh token that nobody uses for 90 days is gone.",
    700_084: "Sign in interactively; a browser app's refresh token lives 24 hours, however it is used.",
    7_000_112: "An administrator must enable the enterprise application again.",
    7_000_215: "Use the secret's value, not its id; for an app on a device use none at all.",
    7_000_218:
      "Set \"Allow public client flows\" to yes, and register the redirect URI under \"Mobile and desktop applications\", not under \"Web\". Never add a secret to an app on a device.",
    7_000_222: "Make a new client secret, or better use a certificate.",
    9_001_023: "Use the tenant's own authority, or organizations, for this grant.",
    9_002_313: "Compare the request with the protocol: encoding, doubled parameters, a token that was cut.",
    9_002_325: "Use PKCE: send code_challenge, and code_verifier with the code.",
    9_002_326:
      "Register the redirect URI under \"Single-page application\"; or redeem the code outside the browser.",
    9_002_327:
      "Register the redirect URI under \"Mobile and desktop applications\" instead of \"Single-page application\".",
    9_002_332: "Use a work account, or change the supported account types of the registration.",
    9_002_346: "Use the authority consumers, or change the supported account types of the registration.",
  ]

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
