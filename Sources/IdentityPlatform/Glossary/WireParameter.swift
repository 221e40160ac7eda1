/// A parameter of the requests that MSAL sends, and of their answers.
package struct WireParameter: Hashable, Sendable {
  package enum Message: String, Hashable, Sendable {
    case authorize = "authorize request"
    case redirect = "redirect back to the app"
    case token = "token request"
    case tokenAnswer = "token answer"
    case signOut = "sign-out request"
    case header = "header"
  }

  package var name: String
  package var legs: [Message]
  package var meaning: String

  private init(_ name: String, _ legs: Message..., meaning: String) {
    self.name = name
    self.legs = legs
    self.meaning = meaning
  }

  package static let all: [WireParameter] = [
    .init("client_id", .authorize, .token, meaning: "the app's id"),
    .init("redirect_uri", .authorize, .token, meaning: "where the answer goes; the same in both requests"),
    .init("response_type", .authorize, meaning: "what the page gives back: code"),
    .init("response_mode", .authorize, meaning: "how it is given back: query, fragment or form_post"),
    .init(
      "scope", .authorize, .token, .tokenAnswer,
      meaning: "the permissions, separated by spaces; MSAL adds openid profile offline_access"),
    .init("state", .authorize, .redirect, meaning: "ties the answer to the request; another one ends in invalidState"),
    .init("nonce", .authorize, meaning: "comes back inside the ID token, so that an old token cannot be slipped in"),
    .init("code_challenge", .authorize, meaning: "the hash of a secret that only this app has (PKCE)"),
    .init("code_challenge_method", .authorize, meaning: "how the challenge is made: S256"),
    .init("code_verifier", .token, meaning: "that secret, which proves that the code was this app's (PKCE)"),
    .init("code", .redirect, .token, meaning: "the authorization code: good for one redemption, within ten minutes"),
    .init("prompt", .authorize, meaning: "select_account, login, consent, create or none; absent for \"if necessary\""),
    .init("login_hint", .authorize, meaning: "the user name that is filled in"),
    .init("domain_hint", .authorize, meaning: "the tenant or kind of account that the page goes to at once"),
    .init("login_req", .authorize, meaning: "the object id of the account that is asked for"),
    .init("domain_req", .authorize, meaning: "the tenant id of the account that is asked for"),
    .init("claims", .authorize, .token, meaning: "a claims request: a challenge's claims and the app's capabilities"),
    .init("instance_aware", .authorize, meaning: "true where accounts of other national clouds may sign in"),
    .init(
      "cloud_instance_host_name", .redirect, meaning: "the host of the cloud in which the user's account lives"),
    .init("client_info", .authorize, .token, .tokenAnswer, meaning: "1 asks for uid and utid, the account's identity"),
    .init("haschrome", .authorize, meaning: "1: the page is shown in a window that has a frame of its own"),
    .init("session_state", .redirect, meaning: "the state of the browser's session, for single sign-out in browsers"),
    .init("iss", .redirect, meaning: "who answers (RFC 9207): it must be the provider that was asked"),
    .init("grant_type", .token, meaning: "authorization_code, refresh_token or device_code"),
    .init("refresh_token", .token, .tokenAnswer, meaning: "what new tokens are got for without the user"),
    .init("access_token", .tokenAnswer, meaning: "what an API is called with; not for the app to read"),
    .init("id_token", .tokenAnswer, meaning: "who signed in, for the app to read"),
    .init("token_type", .tokenAnswer, meaning: "Bearer, or what was asked for"),
    .init("expires_in", .tokenAnswer, meaning: "seconds until the access token ends"),
    .init("ext_expires_in", .tokenAnswer, meaning: "seconds for which it may be used while the service is down"),
    .init("refresh_in", .tokenAnswer, meaning: "seconds after which a new token should be got early"),
    .init("foci", .tokenAnswer, meaning: "the family of apps that share the refresh token"),
    .init("error_description", .redirect, .tokenAnswer, meaning: "what went wrong, for developers"),
    .init("error_codes", .tokenAnswer, meaning: "the numbers of the AADSTS codes"),
    .init("suberror", .redirect, .tokenAnswer, meaning: "the finer word beside the error"),
    .init("trace_id", .tokenAnswer, meaning: "the id of the answer in Microsoft's logs"),
    .init("correlation_id", .tokenAnswer, meaning: "the id of the request in Microsoft's logs"),
    .init("post_logout_redirect_uri", .signOut, meaning: "where the browser goes after signing out"),
    .init("id_token_hint", .signOut, .authorize, meaning: "who is meant, as an earlier ID token"),
    .init("logout_hint", .signOut, meaning: "who is meant, as the claim login_hint of the ID token"),
    .init("slice", .authorize, .token, meaning: "a test slice of the service"),
    .init("dc", .authorize, .token, meaning: "a data center of the service, for tests"),
    .init("brk_client_id", .authorize, .token, meaning: "the app that this one is nested in"),
    .init("brk_redirect_uri", .authorize, .token, meaning: "the redirect URI of the app that this one is nested in"),
    .init("device_code", .token, meaning: "what the app asks with until the user has finished on the other device"),
    .init("user_code", .tokenAnswer, meaning: "what the user types on the other device"),
    .init("client-request-id", .header, .authorize, meaning: "the correlation id"),
    .init("return-client-request-id", .header, .authorize, meaning: "true: the answer repeats the correlation id"),
    .init("x-client-SKU", .header, .authorize, meaning: "which MSAL it is: MSAL.iOS or MSAL.OSX"),
    .init("x-client-Ver", .header, .authorize, meaning: "MSAL's version"),
    .init("x-client-OS", .header, .authorize, meaning: "the system's version"),
    .init("x-client-CPU", .header, .authorize, meaning: "32 or 64"),
    .init("x-client-current-telemetry", .header, meaning: "which call this is, and why no cached token was used"),
    .init("x-client-last-telemetry", .header, meaning: "the silent successes and errors since the last request"),
    .init("X-AnchorMailbox", .header, .authorize, meaning: "the account, so that the service routes it to its region"),
    .init("x-ms-PkeyAuth", .header, meaning: "the app can answer device challenges"),
  ]
}
