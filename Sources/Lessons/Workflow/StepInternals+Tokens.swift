import Documents
import WorkflowModel

extension StepInternals {
  // MARK: Silent

  static func silent(_ parameters: Silent) -> StepInternals {
    let scopes = parameters.token.scopes == nil ? "the settings' scopes" : "the scopes asked for"
    var points = [
      "Without an account, or with one that signed out of this app, it ends at once: interactionRequired.",
      "In place of `common` the account's home tenant is asked, or the authority that answered for it before.",
    ]
    var brief: String
    if parameters.forceRefresh != nil || parameters.token.claims != nil {
      let reason = parameters.token.claims != nil ? "With claims" : "With forceRefresh"
      brief = "\(reason) the cached access token is passed over: MSAL redeems the refresh token at the token endpoint."
      points.append("\(reason) the access tokens of the cache are not looked at.")
    } else {
      brief =
        "First the cache: an access token of this account, tenant and app that holds \(scopes) and has five minutes left. Else MSAL redeems the refresh token at the token endpoint."
      points.append(
        "Cache: the token must hold all scopes asked for; more than these do no harm. Its end is judged five minutes early (tokenExpirationBuffer)."
      )
      points.append(
        "A token that has ended is removed, unless it may still serve through an outage (extendedLifetimeEnabled).")
    }
    points += [
      "Refresh token: the app's own first, then its family's. Is there none, it ends with interactionRequired.",
      "A refusal by the service becomes interactionRequired, with the service's error, suberror and code beside it; bad_token removes the refresh token.",
      "What comes back is kept in the cache, then the granted scopes are compared with those asked for.",
      "A 5xx and a broken connection are tried once more. After a 429 the same request is answered from memory until Retry-After is over, after a refusal for two minutes.",
    ]
    return StepInternals(brief, points)
  }

  // MARK: Interactive

  static func interactive(_ parameters: Interactive) -> StepInternals {
    var points = [
      "The authorize request carries the scopes (with openid, profile and offline_access), a state, and the hash of a secret (PKCE).",
      "The page's redirect must bring the same state back; then the code and the secret are exchanged at the token endpoint.",
      "The tokens are kept and the account is signed in to this app; only then the granted scopes are compared with those asked for.",
      "Whoever signs in is taken: MSAL does not compare with the account that was asked for.",
      "One page at a time: a second request while it is open ends with interactiveSessionAlreadyRunning.",
    ]
    var brief =
      "MSAL opens the service's page in a browser, gets a code at the redirect URI, and exchanges it for tokens, which go into the cache."
    var sees =
      "the service's pages, as few as it needs: from none, where the browser knows the user, to password, second factor and consent."
    switch parameters.prompt?.literal {
    case .login:
      sees = "the password page, even where the browser knows the user."
      points.append("prompt=login: the browser's session does not count.")
    case .selectAccount:
      sees = "the list of accounts first, then what the service needs."
      points.append("prompt=select_account: nobody is signed in unasked.")
    case .consent:
      sees = "the consent page, even where everything was consented to."
      points.append("prompt=consent: consent is asked for again.")
    case .create:
      sees = "the page for a new account."
      points.append("prompt=create: the page offers to sign up.")
    case .never:
      sees = "no page at all."
      brief =
        "MSAL asks the service for a code without letting it show anything (prompt=none); what needs a page is refused."
    case .ifNecessary, nil: break
    }
    if parameters.loginHint != nil { points.append("login_hint: the name is filled in.") }
    if parameters.extraScopesToConsent != nil {
      points.append("extraScopesToConsent go to the page alone: consented to now, asked for later.")
    }
    if parameters.token.claims != nil { points.append("The claims go to the page, which asks for what they need.") }
    return StepInternals(brief, points, sees: sees)
  }

  static let deviceCode = StepInternals(
    "A code is asked for and shown with an address; the token endpoint is asked every few seconds until the user has signed in on another device.",
    [
      "The service says how often it may be asked (five seconds), and for how long the code is good (a quarter of an hour).",
      "authorization_pending means wait, slow_down means wait five seconds longer.",
      "The tokens are like any others, and the next silent call finds them. MSAL for Apple platforms has no such request.",
    ], sees: "a short code and an address; on the other device the service's pages.")

  // MARK: Calls

  static func call(_ api: String, retry: Retry?) -> StepInternals {
    let retries: String
    if let retry {
      retries =
        retry.isOff || retry.attempts < 2
        ? "Nothing is tried again." : "It is tried up to \(retry.attempts) times in all."
    } else {
      retries = "429, 503 and 504 are tried three more times, as long after as Retry-After says."
    }
    return StepInternals(
      "No MSAL here: the last token that was acquired for \(api) is sent along. \(retries)",
      [
        "The token goes as `Authorization: Bearer` to that host alone; a redirect or a next page elsewhere gets none.",
        "Is there no token, nothing is sent: unauthorized.",
        "401 with a claims challenge is a detour: the nearest silent before it runs again with these claims, its fallback if needed, and then the same call, once.",
        "403 means that the token lacks a permission; another token with the same scopes changes nothing.",
      ])
  }
}
