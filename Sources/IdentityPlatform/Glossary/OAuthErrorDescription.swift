/// An `error` of OAuth 2.0, OpenID Connect or the Microsoft identity platform, and what MSAL makes of it.
package struct OAuthErrorDescription: Hashable, Sendable {
  /// How MSAL shows an error to the app.
  package enum Source: Hashable, Sendable {
    case `public`(MSALErrorCode)
    /// As -50000 with this code.
    case `internal`(MSALInternalErrorCode)
    /// As -50000 with a public code as the internal one.
    case hidden(MSALErrorCode)

    /// The outcome's name in a workflow.
    package var outcome: String {
      switch self {
      case .public(let code), .hidden(let code): code.outcome
      case .internal(let code): code.outcome
      }
    }

    /// `MSALErrorUserCanceled (-50005)`.
    package var words: String {
      switch self {
      case .public(let code): "\(code.symbol) (\(code.rawValue))"
      case .internal(let code): "-50000 with \(code.symbol) (\(code.rawValue))"
      case .hidden(let code): "-50000 with \(code.symbol) (\(code.rawValue))"
      }
    }
  }

  package var name: String
  /// Where it is defined.
  package var source: String
  package var meaning: String
  package var cause: String?
  package var advice: String
  /// What an interactive call gives where the sign-in page or the code's redemption ends with it; nil where MSAL for Apple
  /// platforms has no request that could meet it.
  package var surface: Source?
  package var verdict: Verdict

  /// The entry of a name; letter case does not matter, as in MSAL.
  package static func named(_ name: some StringProtocol) -> OAuthErrorDescription? { byName[name.lowercased()] }

  /// What a silent call makes of a refusal at the token endpoint: mostly that a user is needed.
  /// - Parameter suberror: in lower case.
  package static func silentSurface(_ error: String, suberror: String?) -> Source {
    switch error.lowercased() {
    case "invalid_scope": .internal(.invalidScope)
    case "invalid_client": .internal(.invalidClient)
    case "unauthorized_client" where suberror == Suberror.protectionPolicyRequired.rawValue:
      .public(.serverProtectionPoliciesRequired)
    default: .public(.interactionRequired)
    }
  }

  private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// Errors for which MSAL has no code, told apart by where they are said; the result is the same.
  private static let other = Source.internal(.authorizationFailed)

  package static let all: [OAuthErrorDescription] = authorization + consentAndPresence + deviceCode + resource + others

  private static func row(
    _ name: String, _ source: String, _ surface: Source?, _ verdict: Verdict, _ meaning: String,
    cause: String? = nil, advice: String
  ) -> OAuthErrorDescription {
    OAuthErrorDescription(
      name: name, source: source, meaning: meaning, cause: cause, advice: advice, surface: surface, verdict: verdict)
  }

  private static let authorization: [OAuthErrorDescription] = [
    row(
      "invalid_request", "RFC 6749 §4.1.2.1, §5.2", .internal(.invalidRequest), .fixApp,
      "the request is malformed",
      cause: "A parameter is missing, stands twice, is not supported, or contradicts another.",
      advice: "Correct the request; the description and the AADSTS code name the parameter."),
    row(
      "invalid_client", "RFC 6749 §5.2", .internal(.invalidClient), .fixAppOrAskAdmin,
      "the service does not accept this client",
      cause:
        "A public client was asked for a secret, or sent one; a secret or certificate is wrong or expired; the redirect URI is another than the registered one.",
      advice:
        "For an app on a device: register the redirect URI under \"Mobile and desktop applications\", allow public client flows, and send no secret."
    ),
    row(
      "invalid_grant", "RFC 6749 §5.2", .internal(.invalidGrant), .signIn,
      "the code, refresh token or password is not accepted",
      cause:
        "A refresh token is expired, revoked or too old for a policy; a policy asks for more, such as a second factor; consent is missing; a code was used twice.",
      advice:
        "Where it was a refresh token: sign in interactively, with the answer's claims. The suberror and the AADSTS code say why."
    ),
    row(
      "unauthorized_client", "RFC 6749 §4.1.2.1, §5.2", .internal(.unauthorizedClient), .fixAppOrAskAdmin,
      "this client may not do that",
      cause: "No such app in the tenant, or it is disabled, or it may not use this grant.",
      advice: "Check client id, tenant and registration. With the suberror protection_policy_required: Intune."),
    row(
      "access_denied", "RFC 6749 §4.1.2.1", .public(.userCanceled), .expected, "the user said no",
      cause:
        "The user declined the consent, or pressed \"cancel\" on the page; B2C's \"forgot password\" comes so too.",
      advice: "Take it as a \"no\". With B2C look at the code in the description first."),
    row(
      "unsupported_response_type", "RFC 6749 §4.1.2.1", other, .fixApp,
      "this response_type is not supported or not enabled",
      advice: "Use response_type=code."),
    row(
      "unsupported_response_mode", "OAuth 2.0 Multiple Response Types", other, .fixApp,
      "this response_mode is not supported",
      advice: "Use query, fragment or form_post."),
    row(
      "unsupported_grant_type", "RFC 6749 §5.2", other, .fixApp, "this grant_type is not supported",
      advice: "Use a grant that the app registration allows."),
    row(
      "invalid_scope", "RFC 6749 §4.1.2.1, §5.2", .internal(.invalidScope), .fixApp, "a scope is unknown or malformed",
      cause: "A misspelled permission, or .default mixed with single permissions of the same resource.",
      advice: "Correct the scopes: User.Read, api://<app>/<scope> or <resource>/.default."),
    row(
      "server_error", "RFC 6749 §4.1.2.1", .hidden(.serverError), .retryLater, "the service has a fault of its own",
      advice: "Try again later, with growing pauses."),
    row(
      "temporarily_unavailable", "RFC 6749 §4.1.2.1", other, .retryLater,
      "the service is overloaded or being looked after",
      advice: "Wait as long as Retry-After says, then try again."),
  ]

  private static let consentAndPresence: [OAuthErrorDescription] = [
    row(
      "interaction_required", "OpenID Connect Core §3.1.2.6", .public(.interactionRequired), .signIn,
      "the user must do something on the sign-in page",
      cause:
        "A silent request (a refresh token, or prompt=none) meets a policy, a missing consent or an ended session.",
      advice: "Sign in interactively with the same scopes, and with the answer's claims."),
    row(
      "login_required", "OpenID Connect Core §3.1.2.6", other, .signIn, "nobody is signed in in this browser",
      cause: "prompt=none without a session, or with cookies blocked.",
      advice: "Sign in interactively, without prompt=none."),
    row(
      "consent_required", "OpenID Connect Core §3.1.2.6", other, .signIn, "consent is missing",
      advice:
        "Sign in interactively with the same scopes; where an administrator must consent, send the request to one."
    ),
    row(
      "account_selection_required", "OpenID Connect Core §3.1.2.6", other, .signIn, "several accounts are signed in",
      advice: "Sign in interactively with prompt=select_account, or give a login_hint."),
    row(
      "invalid_request_uri", "OpenID Connect Core §3.1.2.6", other, .fixApp, "the request_uri leads nowhere",
      advice: "Correct the request_uri."),
    row(
      "request_not_supported", "OpenID Connect Core §3.1.2.6", other, .fixApp, "the request parameter is not supported",
      advice: "Send the parameters one by one."),
    row(
      "unmet_authentication_requirements", "OpenID Connect Unmet Authentication Requirements", other, .askUser,
      "the user could not sign in as strongly as was asked",
      advice: "Ask for less, or let the user add a stronger way to sign in."),
    row(
      "invalid_target", "RFC 8707 §2", other, .fixApp, "the resource is unknown or malformed",
      advice: "Correct the resource, or the scope that names it."),
  ]

  private static let deviceCode: [OAuthErrorDescription] = [
    row(
      "authorization_pending", "RFC 8628 §3.5", nil, .expected, "the user has not finished on the other device yet",
      advice: "Ask again after the interval. It is no failure."),
    row(
      "slow_down", "RFC 8628 §3.5", nil, .expected, "the app asks too often",
      advice: "Add five seconds to the interval, then go on asking."),
    row(
      "expired_token", "RFC 8628 §3.5", nil, .startAgain, "the device code has expired",
      cause: "The user took longer than the code lives (15 minutes).",
      advice: "Ask for a new code and show it."),
    row(
      "authorization_declined", "Microsoft identity platform, device code flow", nil, .expected,
      "the user declined on the other device", advice: "Take it as a \"no\"."),
    row(
      "bad_verification_code", "Microsoft identity platform, device code flow", nil, .startAgain,
      "the code that was sent is none that was given out", advice: "Ask for a new code."),
  ]

  private static let resource: [OAuthErrorDescription] = [
    row(
      "invalid_token", "RFC 6750 §3.1", nil, .fixApp, "the API does not accept the access token",
      cause: "It has expired, was revoked, or is for another audience.",
      advice: "Get a new token silently (forceRefresh), then call once more; check that the scopes are this API's."),
    row(
      "insufficient_scope", "RFC 6750 §3.1", nil, .fixApp, "the token lacks a permission that the API wants",
      advice: "Ask for the scope that WWW-Authenticate names, then call again."),
    row(
      "insufficient_claims", "Microsoft identity platform, claims challenge", nil, .signIn,
      "the API wants a token with further claims",
      cause: "Continuous access evaluation or an authentication context: the session was revoked or a policy changed.",
      advice:
        "Decode the challenge's claims, ask silently with them, then interactively, and call once more. Say that the app can do this with the client capability CP1."
    ),
    row(
      "insufficient_user_authentication", "RFC 9470 §3", nil, .signIn, "the API wants a stronger or fresher sign-in",
      advice: "Sign in again with the acr_values or max_age of the challenge."),
  ]

  private static let others: [OAuthErrorDescription] = [
    row(
      "invalid_resource", "Microsoft identity platform", other, .fixAppOrAskAdmin,
      "the resource does not exist in this tenant",
      cause: "The resource's name is wrong, or nobody in the tenant has installed that API.",
      advice: "Correct the scope's resource, or let an administrator install the API."),
    row(
      "invalid_tenant", "Microsoft identity platform", other, .fixApp, "there is no such tenant",
      advice: "Correct the tenant in the authority."),
    row(
      "invalid_instance", "Microsoft identity platform, instance discovery",
      .internal(.failedAuthorityValidation), .fixApp, "the authority's host belongs to no cloud of Microsoft",
      advice: "Correct the host, or list the authority in knownAuthorities."),
    row(
      "invalid_client_metadata", "RFC 7591 §3.2.2", nil, .fixApp, "a registration was refused",
      advice: "Correct what is registered."),
  ]
}
