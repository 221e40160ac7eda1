/// An error of Azure AD B2C: the number after `AADB2C`, and what follows from it.
///
/// The service puts the code into the error_description; the OAuth error is often access_denied, server_error or
/// invalid_request. Numbers as in Microsoft's error reference for B2C; the words are ours.
package struct AADB2C: Hashable, Sendable {
  package var number: Int
  package var meaning: String
  package var wayOut: AADSTS.Remedy
  /// What to do, where the way out does not say it all.
  package var ownAdvice: String?

  /// As it is written: `AADB2C90118`.
  package var code: String { "AADB2C\(number)" }

  package var advice: String { ownAdvice ?? wayOut.advice }

  package static func numbered(_ number: Int) -> AADB2C? { all.first { $0.number == number } }

  private static func row(
    _ number: Int, _ wayOut: AADSTS.Remedy, _ meaning: String, _ advice: String? = nil
  ) -> AADB2C {
    AADB2C(number: number, meaning: meaning, wayOut: wayOut, ownAdvice: advice)
  }

  package static let all: [AADB2C] = usersAndPolicies + requests + tokensAndService

  private static let usersAndPolicies: [AADB2C] = [
    row(
      90_118, .interactive, "the user has forgotten the password",
      "It is no failure: start an interactive sign-in with the password reset policy as its authority, then the first one again. User flows of the recommended version reset the password by themselves."
    ),
    row(
      90_091, .interactive, "the user cancelled on the page",
      "Take it as a \"no\": go back to where the user was."),
    row(90_001, .interactive, "there is such a user already", "Let the user sign in instead of signing up."),
    row(90_052, .differentRequest, "user name or password is wrong"),
    row(90_053, .differentRequest, "no such user"),
    row(90_054, .differentRequest, "user name or password is wrong"),
    row(90_225, .differentRequest, "user name or password is wrong (password grant)"),
    row(99_002, .interactive, "no such user", "Let the user sign up first."),
    row(90_111, .developerOrAdmin, "the account is locked", "Somebody who administers the tenant must unlock it."),
    row(90_114, .wait, "the account is locked for a while: too many wrong passwords"),
    row(90_077, .interactive, "a silent request, and nobody is signed in in this browser"),
    row(90_145, .developerOrAdmin, "no telephone number to verify, and the policy lets the user enter none"),
    row(90_151, .restart, "too many attempts at the second factor"),
    row(90_152, .wait, "the service for second factors did not answer"),
    row(90_154, .wait, "the service for second factors gave no session"),
    row(90_155, .restart, "the second factor could not be sent"),
    row(90_156, .restart, "the second factor could not be checked"),
    row(90_157, .restart, "too many attempts at a page that the user fills in"),
    row(90_158, .differentRequest, "what the user filled in was not accepted"),
    row(90_159, .restart, "what the user filled in could not be verified"),
    row(90_161, .restart, "a page that the user filled in could not be sent on"),
    row(90_289, .wait, "the other identity provider cannot be reached"),
    row(
      90_273, .restart, "the other identity provider's answer is not valid",
      "Often the user cancelled there: offer to sign in again. Otherwise check that provider's client id and secret."),
    row(90_021, .developerOrAdmin, "the policy names a technical profile that does not exist"),
    row(90_022, .developerOrAdmin, "the policy's metadata cannot be given"),
    row(90_023, .developerOrAdmin, "a profile of the policy lacks a metadata key"),
    row(90_025, .developerOrAdmin, "a profile of the policy lacks a cryptographic key"),
    row(90_027, .developerOrAdmin, "an API that the policy calls refuses its password"),
    row(90_028, .developerOrAdmin, "an API that the policy calls refuses its certificate"),
    row(90_031, .developerOrAdmin, "the policy names no user journey"),
    row(90_040, .developerOrAdmin, "the user journey never issues a token"),
    row(90_051, .developerOrAdmin, "the policy offers no way to sign in"),
    row(90_075, .developerOrAdmin, "an API that the policy calls answered with an HTTP error"),
    row(90_108, .developerOrAdmin, "a step of the user journey names no issuer"),
    row(90_019, .developerOrAdmin, "a key container of the tenant has no valid key"),
    row(90_220, .developerOrAdmin, "a key container of the tenant has no valid certificate"),
  ]

  private static let requests: [AADB2C] = [
    row(
      90_006, .developerOrAdmin, "the redirect URI is not registered for the app",
      "Register exactly this URI in the B2C tenant, for a public client; B2C takes any scheme."),
    row(90_007, .developerOrAdmin, "the app has no redirect URI at all"),
    row(90_008, .differentRequest, "the request has no client id"),
    row(90_010, .differentRequest, "the request has no scope"),
    row(90_011, .developerOrAdmin, "the policy is made for another client id"),
    row(90_012, .differentRequest, "a scope is not supported"),
    row(90_013, .differentRequest, "this response type is not supported"),
    row(90_014, .differentRequest, "this response mode is not supported"),
    row(90_017, .developerOrAdmin, "the client's assertion is not valid"),
    row(90_018, .developerOrAdmin, "no app with this client id in the tenant"),
    row(90_036, .differentRequest, "the sign-out request does not say where to go afterwards"),
    row(90_043, .differentRequest, "the prompt is none that there is"),
    row(
      90_055, .differentRequest, "the scope names no resource",
      "Write it in full: https://<tenant>.onmicrosoft.com/<api>/<scope>. There is no Microsoft Graph for customers."),
    row(90_057, .developerOrAdmin, "the implicit flow is not enabled for the app"),
    row(
      90_058, .developerOrAdmin, "the app is not registered as a public client",
      "Allow public client flows in the app registration."),
    row(90_067, .differentRequest, "the address to go to after signing out is malformed"),
    row(90_068, .developerOrAdmin, "the app was not made for B2C"),
    row(90_079, .developerOrAdmin, "a secret is needed: the app is registered as a web app"),
    row(90_081, .developerOrAdmin, "the client secret is wrong"),
    row(90_083, .differentRequest, "a required parameter is missing"),
    row(90_084, .differentRequest, "a public client must not send a secret"),
    row(90_086, .differentRequest, "this grant type is not supported"),
    row(90_092, .developerOrAdmin, "the app is disabled"),
    row(90_107, .differentRequest, "no ID token: openid is not among the scopes, or the app may not have one"),
    row(90_110, .differentRequest, "response_type id_token needs the scope openid"),
    row(90_115, .differentRequest, "the scopes lack a resource or openid"),
    row(
      90_117, .differentRequest, "a scope is not supported",
      "Grant the API's permission to the app in the portal, with admin consent, and write the scope in full."),
    row(90_120, .differentRequest, "max_age is not valid"),
    row(90_122, .differentRequest, "a parameter has characters that are not allowed"),
    row(90_146, .differentRequest, "the scopes belong to more than one resource"),
    row(90_182, .differentRequest, "the PKCE verifier does not belong to the challenge"),
    row(90_183, .differentRequest, "the PKCE verifier is not valid"),
    row(90_184, .differentRequest, "this PKCE method is not supported"),
    row(90_205, .developerOrAdmin, "the app has no permission for that API"),
    row(90_208, .differentRequest, "the id_token_hint has expired"),
    row(90_209, .differentRequest, "the id_token_hint is for somebody else"),
    row(90_210, .differentRequest, "the id_token_hint could not be checked"),
    row(90_224, .developerOrAdmin, "the password grant is not enabled for the app"),
    row(90_226, .differentRequest, "this exchange must be sent with POST"),
    row(90_232, .differentRequest, "the id_token_hint comes from an issuer that is not accepted"),
    row(90_233, .differentRequest, "the signature of the id_token_hint failed"),
    row(99_059, .differentRequest, "a single-page app must use PKCE"),
  ]

  private static let tokensAndService: [AADB2C] = [
    row(90_080, .interactive, "the code or refresh token has expired"),
    row(90_087, .interactive, "the code or refresh token is of another version of the endpoint"),
    row(
      90_088, .interactive, "the code or refresh token was issued by another policy",
      "Tokens belong to one policy: keep an account per policy, and pass that policy as the authority."),
    row(90_128, .interactive, "the account does not exist any more"),
    row(90_129, .interactive, "the refresh token was revoked"),
    row(90_235, .differentRequest, "the ID token has expired"),
    row(90_237, .differentRequest, "the ID token is for somebody else"),
    row(90_238, .differentRequest, "the ID token comes from an issuer that is not accepted"),
    row(90_035, .wait, "the service is not available for the moment"),
    row(90_037, .wait, "a fault of the service"),
    row(90_046, .restart, "the sign-in's state was lost"),
    row(90_048, .wait, "a fault of the service"),
    row(90_085, .wait, "a fault of the service"),
    row(90_206, .wait, "the sign-in could not be begun in time"),
    row(90_211, .restart, "the state cookie is incomplete: cookies are blocked, or two sign-ins crossed"),
    row(90_212, .restart, "the state cookie is not valid: cookies are blocked, or two sign-ins crossed"),
    row(90_244, .wait, "too many requests"),
    row(90_002, .developerOrAdmin, "the page's own content was not found"),
    row(90_047, .developerOrAdmin, "the page's own content has script errors, or does not allow this origin"),
    row(90_149, .developerOrAdmin, "a script of the page could not be loaded"),
    row(90_223, .developerOrAdmin, "the page's own content could not be made safe"),
    row(90_165, .restart, "the SAML request that began the sign-in is gone"),
    row(90_168, .developerOrAdmin, "the signed SAML request lacks a parameter"),
    row(90_178, .developerOrAdmin, "the signing certificate has no private key"),
    row(90_188, .developerOrAdmin, "the SAML partner's metadata cannot be fetched"),
  ]
}
