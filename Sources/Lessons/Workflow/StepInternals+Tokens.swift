import Documents
import WorkflowModel

extension StepInternals {
  // MARK: Silent

  static func silent(_ parameters: Silent) -> StepInternals {
    let scopes = parameters.token.scopes == nil ? "the settings' scopes" : "the requested scopes"
    var details = [
      "If there is no account, or if the account signed out of this app, the request fails immediately with interactionRequired.",
      "Instead of `common`, MSAL uses the account's home tenant, or the authority that it last used for the account.",
    ]
    var summary: String
    if parameters.forceRefresh != nil || parameters.token.claims != nil {
      let reason = parameters.token.claims != nil ? "With claims" : "With forceRefresh"
      summary = "\(reason), MSAL ignores cached access tokens and redeems the refresh token at the token endpoint."
      details.append("\(reason), a valid access token in the cache does not prevent a request.")
    } else {
      summary =
        "MSAL searches the cache for an access token that is for this account, tenant, and client, covers \(scopes), and is valid for at least five more minutes. If there is no such token, MSAL redeems the refresh token at the token endpoint."
      details.append(
        "Cache: the token must cover all requested scopes, and can cover additional ones. MSAL does not use a token in its last five minutes (tokenExpirationBuffer)."
      )
      details.append(
        "MSAL deletes an expired token, unless it can be used during an outage (extendedLifetimeEnabled).")
    }
    details += [
      "Refresh token: MSAL uses the app's refresh token or, if there is none, the refresh token of its app family. Without a refresh token, the request fails with interactionRequired.",
      "If the service rejects the refresh token, the outcome is interactionRequired, with the service's error, suberror, and code. After bad_token, MSAL deletes the refresh token.",
      "MSAL caches the new tokens, and then compares the granted scopes with the requested ones.",
      "MSAL retries once after a 5xx status or a lost connection. After a 429, it throttles identical requests for as long as Retry-After specifies. After an OAuth error, it throttles them for two minutes.",
    ]
    return StepInternals(summary, details)
  }

  // MARK: Interactive

  static func interactive(_ parameters: Interactive) -> StepInternals {
    var details = [
      "The authorization request contains the scopes (with openid, profile, and offline_access), a state, and the hash of a secret (PKCE).",
      "The redirect must contain the same state. Then MSAL sends the code and the secret to the token endpoint.",
      "MSAL caches the tokens and signs the account in to this app, and then compares the granted scopes with the requested ones.",
      "MSAL accepts any user who signs in, even if the request specifies another account.",
      "A second request while the page is open fails with interactiveSessionAlreadyRunning.",
    ]
    var summary =
      "MSAL opens the sign-in page in a browser, receives an authorization code at the redirect URI, and redeems it for tokens, which it caches."
    var pages =
      "the required pages, such as password, second factor, and consent. If the browser has a session, there may be no pages."
    switch parameters.prompt?.literal {
    case .login:
      pages = "the password page, even if the browser has a session."
      details.append("prompt=login: the browser session is ignored.")
    case .selectAccount:
      pages = "the account picker, and then the required pages."
      details.append("prompt=select_account: the user always picks an account.")
    case .consent:
      pages = "the consent page, even if the user has already consented to all scopes."
      details.append("prompt=consent: the user must consent again.")
    case .create:
      pages = "the sign-up page."
      details.append("prompt=create: the page creates an account.")
    case .never:
      pages = "no page."
      summary =
        "MSAL requests a code without a page (prompt=none). If a page is required, the request fails."
    case .ifNecessary, nil: break
    }
    if parameters.loginHint != nil { details.append("login_hint: the page already contains the username.") }
    if parameters.extraScopesToConsent != nil {
      details.append("extraScopesToConsent: the user consents to these scopes now, and the app requests them later.")
    }
    if parameters.token.claims != nil {
      details.append("The sign-in page enforces the requirements in the claims request, such as a second factor.")
    }
    return StepInternals(summary, details, pages: pages)
  }

  static let deviceCode = StepInternals(
    "The app shows a code and a URL, and polls the token endpoint until the user has signed in on another device.",
    [
      "The response contains the polling interval (five seconds) and the lifetime of the code (15 minutes).",
      "authorization_pending: keep polling. slow_down: increase the polling interval by five seconds.",
      "The next silent request finds these tokens. MSAL for Apple platforms does not support this flow.",
    ], pages: "a short code and a URL, and the sign-in pages on the other device.")

  // MARK: Calls

  static func call(_ api: String, retry: Retry?) -> StepInternals {
    let retries: String
    if let retry {
      retries =
        retry.isOff || retry.attempts < 2
        ? "There are no retries." : "There are up to \(retry.attempts) attempts."
    } else {
      retries =
        "After a 429, 503, or 504, the client retries up to three times, each time after waiting as long as Retry-After specifies."
    }
    return StepInternals(
      "The app sends the last token for \(api). MSAL is not involved. \(retries)",
      [
        "The token is sent in `Authorization: Bearer` to this host only, and not to other hosts in redirects or next links.",
        "Without a token, the outcome is unauthorized, and no request is sent.",
        "A 401 with a claims challenge is a detour: the nearest earlier silent step runs again with these claims, then its fallback if needed, and then this call.",
        "A 403 means that the token does not contain a required permission. A new token with the same scopes does not help.",
      ])
  }
}
