/// The platform's errors as the emulator raises them: error, suberror, status and sentence of one code stand in one row.
///
/// A code whose cause cannot occur here is not listed; a fault may still inject it, and then takes `invalid_grant`.
package enum ErrorTable {
  /// Where the same code has another error or suberror, because of who is told.
  package enum Context: Hashable, Sendable {
    case usual
    /// Nobody can be shown a page: a silent sign-in, or an API in between that passes the error on.
    case silent
    /// The refresh token, not the code, is what is wrong.
    case refreshToken
    /// A parameter is wrong rather than the grant.
    case parameter
    case deletedAccount
    /// A refresh token of the family does not serve this member.
    case family
    /// The user said no on another device.
    case device
    /// The older version of the endpoint has another word for it.
    case older
  }

  package struct Row: Sendable {
    package let code: Int
    package let error: String
    package let suberror: String?
    package let status: Int
    /// Whether the authorize endpoint keeps the browser on a page instead of telling the app.
    package let staysOnPage: Bool
    package let message: String
    /// How to make it occur, in one line.
    package let provokedBy: String
    /// Error and suberror on occasions other than the usual one.
    package let others: [Context: Pair]

    /// The status of an endpoint that answers in JSON.
    package var httpStatus: Int { status == 400 && error == "invalid_client" ? 401 : status }

    /// Error and suberror on an occasion. Silently, whatever a page could mend is `interaction_required`.
    package func pair(on occasion: Context) -> Pair {
      if let other = others[occasion] { return other }
      if occasion == .silent, error == "invalid_grant" { return Pair("interaction_required", suberror) }
      return Pair(error, suberror)
    }
  }

  package struct Pair: Hashable, Sendable {
    package let error: String
    package let suberror: String?

    init(_ error: String, _ suberror: String? = nil) {
      self.error = error
      self.suberror = suberror
    }
  }

  package static func row(_ code: Int) -> Row {
    byCode[code]
      ?? Row(
        code: code, error: "invalid_grant", suberror: nil, status: 400, staysOnPage: false,
        message: "The request was refused.", provokedBy: "a fault with this code", others: [:])
  }

  private static let byCode = Dictionary(rows.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

  private static func row(
    _ code: Int, _ error: String, sub suberror: String? = nil, status: Int = 400, page: Bool = false,
    others: [Context: Pair] = [:], _ message: String, by provokedBy: String
  ) -> Row {
    Row(
      code: code, error: error, suberror: suberror, status: status, staysOnPage: page, message: message,
      provokedBy: provokedBy, others: others)
  }

  package static let rows: [Row] = [
    row(
      16000, "interaction_required", "The user has several accounts here and has to choose one.",
      by: "prompt=none with two accounts signed in and no login_hint"),
    row(
      28000, "invalid_request", "The scopes name more than one resource; a token is for one.",
      by: "redeem a code with scopes of two resources"),
    row(28002, "invalid_request", "The scope is not valid for a token request.", by: "a scope of control characters"),
    row(
      28003, "invalid_request", "The scope must not be empty when a code is redeemed.",
      by: "redeem a code with an empty scope"),
    row(
      500011, "invalid_resource",
      "The resource was not found in this tenant: the name is wrong, or no administrator has installed it.",
      by: "ask for a scope of an API that the directory lacks"),
    row(
      50011, "invalid_client", page: true,
      "The redirect URI of the request is not one of those registered for the app.",
      by: "authorize with an unregistered redirect_uri, or redeem a code with another one"),
    row(
      50012, "invalid_client", "The client assertion could not be verified.", by: "a client assertion that is no token"),
    row(50013, "invalid_grant", "The assertion is not valid.", by: "on-behalf-of with an expired or foreign token"),
    row(
      50020, "invalid_grant", page: true,
      "The account of the other tenant does not exist in this tenant and cannot use the app there.",
      by: "sign in to a tenant where one is neither member nor guest"),
    row(
      50034, "invalid_grant", sub: "bad_token",
      others: [.deletedAccount: Pair("invalid_grant", "user_account_deleted")],
      "The account does not exist in this directory.", by: "sign in with an unknown username"),
    row(50049, "invalid_instance", "The authority host is unknown.", by: "instance discovery for a foreign host"),
    row(
      50053, "invalid_grant", "The account is locked: too many sign-ins with a wrong password.",
      by: "ten wrong passwords in a row"),
    row(
      50055, "invalid_grant", sub: "user_password_expired", "The password has expired.",
      by: "password grant for a user with passwordExpired"),
    row(50057, "invalid_grant", page: true, "The user account is disabled.", by: "userDisabled"),
    row(
      50058, "login_required", "A silent sign-in was asked for, and nobody is signed in.",
      by: "prompt=none without a browser session"),
    row(50059, "invalid_request", "No tenant can be told from the request.", by: "client credentials on /common"),
    row(
      50076, "invalid_grant", sub: "basic_action", "A policy of your administrator now asks for a second factor.",
      by: "policyAdded with require: mfa, then refresh"),
    row(
      50079, "invalid_grant", sub: "basic_action",
      "A policy of your administrator now asks the user to enrol a second factor.",
      by: "the same for a user without one"),
    row(
      50089, "invalid_grant", page: true,
      "The sign-in took too long, or the page was opened out of order. Start again.",
      by: "submit a sign-in page after an hour, or one with a changed flow value"),
    row(
      50105, "interaction_required", page: true, "The app is for assigned users only, and this user is not assigned.",
      by: "an app with assignedUsers"),
    row(
      50125, "interaction_required", sub: "basic_action", "The user has to change the password first.",
      by: "policyAdded with require: passwordChange, then refresh"),
    row(50126, "invalid_grant", "The username or password is wrong.", by: "a wrong password"),
    row(
      50027, "invalid_client", "The client assertion is not valid: its audience is another service.",
      by: "a client assertion with another audience than this platform, or without x5t#S256, x5t, and kid"),
    row(
      50128, "invalid_request",
      "Invalid domain name. No tenant can be told from the request or the username.",
      by: "password grant on /organizations for a username whose domain no tenant has"),
    row(
      50158, "invalid_grant", "An external check that a policy asks for was not passed.",
      by: "policyAdded with require: externalControl, then refresh"),
    row(
      501481, "invalid_grant", "The code_verifier does not fit the code_challenge.",
      by: "redeem a code with a wrong verifier"),
    row(50147, "invalid_request", "The code_challenge has the wrong length.", by: "a code_challenge of 10 letters"),
    row(
      50173, "invalid_grant", sub: "bad_token",
      "The grant was revoked: it is older than the time from which the user's tokens are valid.",
      by: "passwordChanged or sessionsRevoked, then refresh"),
    row(
      50194, "invalid_request", page: true, "The app is for one tenant and cannot be used through /common.",
      by: "an app with audience AzureADMyOrg at /common"),
    row(
      50196, "invalid_grant", "The same request came too often: the app runs in a loop.",
      by: "sixteen equal authorize requests within five minutes; with loopGuard, token requests as well"),
    row(
      50199, "interaction_required", page: true, "The user has to confirm that this app may be opened.", by: "a fault"),
    row(
      500121, "invalid_grant", page: true, "The second factor was denied or wrong.", by: "deny the MFA prompt"),
    row(
      500181, "invalid_grant", others: [.family: Pair("invalid_grant", "client_mismatch")],
      "The refresh token was issued to another client.",
      by: "redeem a refresh token with another client_id"),
    row(
      53000, "interaction_required", sub: "message_only", page: true,
      "The device is not compliant with the organization's rules.",
      by: "policyAdded with require: compliantDevice"),
    row(
      53003, "invalid_grant", sub: "message_only", page: true, "A conditional access policy blocks the sign-in.",
      by: "policyAdded with require: block"),
    row(
      53001, "interaction_required", page: true, "The device is not joined to the organization's domain.",
      by: "policyAdded with require: domainJoinedDevice"),
    row(
      530003, "invalid_grant", page: true, "The device has to be managed by the organization.",
      by: "policyAdded with require: managedDevice"),
    row(
      53004, "interaction_required", page: true,
      "The sign-in is risky, and a second factor cannot be set up while it is.",
      by: "sign in as a user with risk: high and no second factor"),
    row(
      53005, "unauthorized_client", sub: "protection_policy_required",
      "The app has to enforce Intune protection policies.",
      by: "policyAdded with require: approvedApp"),
    row(54005, "invalid_grant", "The authorization code was already redeemed.", by: "redeem a code twice"),
    row(
      65001, "invalid_grant", sub: "consent_required",
      others: [.silent: Pair("consent_required", "consent_required")],
      "The user or an administrator has not consented to the app's use of these permissions.",
      by: "refresh with a scope that nobody consented to"),
    row(
      65002, "invalid_request",
      "Consent between this application and the API has to be set up by the API's owner beforehand.",
      by: "an app that is not in the API's preauthorizedOnly"),
    row(
      65004, "access_denied", others: [.device: Pair("authorization_declined")],
      "The user declined to consent to the app.", by: "decline the consent page"),
    row(
      650053, "invalid_client", "A scope does not exist on its resource.", by: "authorize with a misspelled permission"),
    row(
      650057, "invalid_client", page: true,
      "The resource is not listed in the permissions of the application's registration.",
      by: "the older endpoint with a resource that the app's permissions lack"),
    row(
      70000, "invalid_grant", sub: "bad_token", "The grant is not valid.",
      by: "redeem a code or refresh token that is none"),
    row(70002, "invalid_client", "The client's credentials are wrong.", by: "HTTP Basic that cannot be read"),
    row(70003, "unsupported_grant_type", "The grant type is not supported.", by: "an unknown grant_type"),
    row(70005, "unsupported_response_type", "The response_type is not supported.", by: "an unknown response_type"),
    row(
      700054, "unsupported_response_type", "Tokens straight from the authorize endpoint are not enabled for the app.",
      by: "response_type=id_token for an app without implicitIdTokens"),
    row(
      70007, "invalid_request", "The response_mode cannot be used with this response_type.",
      by: "response_mode=query with response_type=id_token"),
    row(70008, "invalid_grant", "The authorization code has expired.", by: "redeem a code after ten minutes"),
    row(70011, "invalid_scope", "A scope is not valid.", by: ".default mixed with named scopes of the same resource"),
    row(
      1_002_012, "invalid_scope", "The scope of client credentials must be one resource with '/.default'.",
      by: "client credentials with a named scope"),
    row(70016, "authorization_pending", "The user has not finished the sign-in yet.", by: "poll a device code at once"),
    row(
      70018, "bad_verification_code", page: true, "The user code is wrong.", by: "type a wrong code on the device page"),
    row(
      70019, "expired_token", page: true, "The user code has expired.", by: "type a code after fifteen minutes"),
    row(
      70020, "expired_token", others: [.older: Pair("code_expired")], "The device code has expired.",
      by: "poll a device code after fifteen minutes"),
    row(
      70043, "invalid_grant", sub: "token_expired", others: [.older: Pair("interaction_required", "token_expired")],
      "The refresh token is older than the sign-in frequency policy allows.",
      by: "policyAdded with signInFrequency, wait, then refresh"),
    row(
      700005, "invalid_grant", "The code or refresh token is for another tenant.", by: "redeem a code at another tenant"
    ),
    row(7000014, "invalid_grant", "The device code is not valid.", by: "poll with a device code that is none"),
    row(
      700016, "unauthorized_client", page: true, "The app was not found in this tenant.", by: "an unknown client_id"),
    row(
      700022, "invalid_request", page: true, "The scopes name more than one resource.",
      by: "response_type=token with two resources"),
    row(
      700025, "invalid_client",
      "The client is public, so the request must contain neither 'client_assertion' nor 'client_secret'.",
      by: "client_secret of a public app"),
    row(
      700027, "invalid_client", "The client assertion's signature could not be verified.",
      by: "an assertion of an unregistered key, or with an unknown x5t#S256, x5t, or kid"),
    row(700024, "invalid_client", "The client assertion is outside its time.", by: "an assertion of yesterday"),
    row(
      700081, "invalid_grant", "The refresh token has reached its greatest age.",
      by: "a directory with refreshTokenMaximum, then refresh after it"),
    row(
      700082, "invalid_grant", "The refresh token has expired because it was not used.",
      by: "wait 91 days, then refresh; or refreshTokenExpired"),
    row(
      700084, "invalid_grant", "The refresh token was issued to a single-page app and has reached its fixed end.",
      by: "refresh a single-page app's token after a day"),
    row(7000112, "unauthorized_client", page: true, "The application is disabled.", by: "appDisabled"),
    row(7000215, "invalid_client", "The client secret is wrong.", by: "a wrong client_secret"),
    row(7000222, "invalid_client", "The client secret has expired.", by: "one of the app's expiredSecrets"),
    row(
      7000218, "invalid_client",
      "The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
      by: "a confidential app without a credential"),
    row(
      90002, "invalid_tenant", page: true, "The tenant was not found.", by: "an unknown tenant in the path"),
    row(
      900023, "invalid_request", page: true, "The tenant in the path is neither a GUID nor a domain.",
      by: "a tenant of odd characters"),
    row(90004, "invalid_request", "The request is malformed.", by: "a parameter that stands twice"),
    row(
      90015, "invalid_request", page: true, "The query string is too long.",
      by: "an authorize request of more than 16 000 characters"),
    row(
      90038, "invalid_request", page: true, "The tenant belongs to another national cloud than this host.",
      by: "a tenant with cloud: usGovernment at login.microsoftonline.com"),
    row(
      900439, "invalid_request", page: true,
      "The application is registered in the US government's cloud and cannot be used in the public one.",
      by: "an app whose tenant has cloud: usGovernment at login.microsoftonline.com"),
    row(
      500201, "invalid_request", page: true, "A personal account cannot use this version of the endpoint.",
      by: "sign in as a personal account at /oauth2/authorize"),
    row(90005, "invalid_request", "login_hint and id_token_hint must not both be sent.", by: "send both"),
    row(
      90009, "invalid_request", "An app asks for a token for itself with its GUID.",
      by: "refresh without scope, or ask for a scope of the app's own identifier URI"),
    row(
      9001023, "invalid_request", "The grant is not supported on /common or /consumers.",
      by: "password grant on /common"),
    row(
      90010, "invalid_request", "The request is not supported here.",
      by: "an unknown prompt; token_type=pop or ssh-cert, which the emulator does not issue"),
    row(900144, "invalid_request", "The request must contain a parameter that it lacks.", by: "leave out client_id"),
    row(
      9002313, "invalid_grant",
      others: [.refreshToken: Pair("invalid_grant", "bad_token"), .parameter: Pair("invalid_request")],
      "The request is malformed or invalid.", by: "a code that is none; a claims parameter that is no JSON"),
    row(
      9002325, "invalid_request", "Redeeming a code for a single-page app needs PKCE.",
      by: "a spa redirect without code_challenge"),
    row(
      9002326, "invalid_request", "Redemption from another origin is allowed for single-page apps only.",
      by: "an Origin header with a native redirect"),
    row(
      9002327, "invalid_request", "Tokens for a single-page app can only be redeemed by cross-origin requests.",
      by: "no Origin header with a spa redirect"),
    row(
      9002332, "invalid_request", page: true,
      "The app is for organizations only and cannot be used through /consumers.",
      by: "an app with audience AzureADMultipleOrgs at /consumers"),
    row(
      9002346, "invalid_request", page: true, "The app is for personal accounts only; use /consumers.",
      by: "an app with audience PersonalMicrosoftAccount at a tenant"),
    row(900561, "invalid_request", "The endpoint takes POST requests only.", by: "GET on the token endpoint"),
    row(
      9_010_010, "invalid_target", "The resource parameter does not match the requested scopes.",
      by: "resource= on v2 that is not the resource of the scopes"),
    row(
      90094, "consent_required", page: true, "An administrator has to approve these permissions.",
      by: "ask for User.Read.All as an ordinary user"),
    row(900971, "invalid_request", page: true, "No redirect URI was given.", by: "an app without any redirect URI"),
    row(135011, "invalid_grant", "The device is disabled.", by: "a fault"),
    row(90033, "temporarily_unavailable", status: 503, "The service is temporarily unavailable.", by: "a fault"),
    row(90055, "temporarily_unavailable", status: 429, "The tenant sends too many requests.", by: "a fault"),
  ]

  /// The rows as a table for the handbook, in Markdown.
  package static var table: String {
    let lines = rows.sorted { $0.code < $1.code }.map { row in
      "| AADSTS\(row.code) | `\(row.error)`\(row.suberror.map { ", `\($0)`" } ?? "") | \(row.httpStatus) | \(row.provokedBy) |"
    }
    return """
      # Errors of the emulated platform

      Each code, the error and suberror that come with it, the status of an endpoint that answers so, and how to make it
      occur. Where the browser is kept on a page, the status is 200 and the page names the code; a silent sign-in
      (`prompt=none`) and an exchange on behalf of a user say `interaction_required` for what a page could mend.

      | code | error, suberror | status | provoked by |
      |---|---|---|---|
      \(lines.joined(separator: "\n"))

      """
  }
}
