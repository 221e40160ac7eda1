private let grant = "invalid_grant"
private let interaction = "interaction_required"
private let client = "invalid_client"
private let request = "invalid_request"
private let unauthorized = "unauthorized_client"

// Facts (number, error, suberror) as the Entra error reference and recorded answers give them; the words are ours.
extension AADSTS {
  /// Users, their proofs, and the tokens they hold.
  static let tokenAndSession: [AADSTS] = [
    row(
      16_000, interaction, nil, .interactive, [.page],
      "the account's tenant cannot be used with this app, or several are signed in"),
    row(50_013, grant, nil, .interactive, "the assertion is expired, or its signature or issuer is wrong"),
    row(
      50_020, grant, nil, .differentRequest, [.inferred, .page],
      "the account belongs to another tenant and is no guest in this one"),
    row(50_034, grant, "bad_token", .differentRequest, "no such account in this directory"),
    row(
      50_053, grant, nil, .wait, [.inferred], "too many wrong passwords, or a suspicious address: locked for a while"),
    row(50_055, grant, "user_password_expired", .interactive, "the password has expired"),
    row(50_057, grant, nil, .developerOrAdmin, [.inferred], "the account is disabled"),
    row(50_058, "login_required", nil, .interactive, "a silent request, and nobody is signed in in this browser"),
    row(50_072, grant, "basic_action", .interactive, "the user must register for multi-factor sign-in"),
    row(50_074, grant, "basic_action", .interactive, "a second factor is needed and was not given"),
    row(50_076, grant, "basic_action", .interactive, "a second factor is needed, by policy or because of a new place"),
    row(50_078, grant, "basic_action", .interactive, "the second factor was given too long ago"),
    row(50_079, grant, "basic_action", .interactive, "the user must register for multi-factor sign-in first"),
    row(50_089, grant, nil, .interactive, [.inferred, .page], "the sign-in page was left open too long"),
    row(50_097, interaction, nil, .interactive, "the device must prove who it is"),
    row(
      50_125, interaction, "basic_action", .interactive, [.inferred],
      "a password reset or registration stands in between"),
    row(50_126, grant, nil, .differentRequest, "user name or password is wrong"),
    row(50_128, request, nil, .differentRequest, [.inferred], "the domain in the request does not exist"),
    row(
      50_142, request, nil, .interactive, [.inferred],
      "the password must be changed because a policy about risk says so"),
    row(50_132, grant, "bad_token", .interactive, [.inferred], "the session is no longer valid"),
    row(50_133, grant, "bad_token", .interactive, [.inferred], "the session was revoked by a password change"),
    row(50_140, nil, nil, .interactive, [.page], "the \"stay signed in?\" question interrupts"),
    row(
      50_144, grant, "user_password_expired", .interactive, [.inferred],
      "the password of the on-premises account has expired"),
    row(50_158, grant, nil, .interactive, "a check outside the service has not been passed"),
    row(50_173, grant, "bad_token", .interactive, "the tokens are older than the last password change or revocation"),
    row(50_196, grant, nil, .wait, "the same request again and again: a loop"),
    row(50_199, interaction, nil, .interactive, [.page], "the user must confirm that an app may be opened"),
    row(
      51_004, grant, nil, .developerOrAdmin, [.inferred, .page],
      "the account is not in the directory, or not assigned to the app"),
    row(54_005, grant, nil, .interactive, "the authorization code was used before"),
    row(70_000, grant, "bad_token", .interactive, "the grant is not valid"),
    row(70_008, grant, nil, .interactive, "the code or refresh token has expired"),
    row(70_043, grant, "token_expired", .interactive, "the sign-in is older than the policy's sign-in frequency"),
    row(
      70_044, grant, nil, .interactive, [.inferred], "the browser session is older than the policy's sign-in frequency"),
    row(700_005, grant, nil, .differentRequest, "the code or refresh token is another tenant's"),
    row(700_020, interaction, nil, .interactive, "the user must interact"),
    row(700_081, grant, nil, .interactive, "the refresh token has reached its greatest age"),
    row(700_082, grant, nil, .interactive, "the refresh token was not used for too long (90 days)"),
    row(700_084, grant, nil, .interactive, "the refresh token of a browser app has lived its 24 hours"),
    row(
      90_072, grant, nil, .differentRequest, [.inferred, .page], "the account is from outside and must be invited first"
    ),
    row(
      500_121, grant, nil, .interactive, [.inferred, .page], "the second factor was denied, wrong, or not given in time"
    ),
    row(500_181, grant, nil, .differentRequest, [.inferred], "the refresh token was issued to another client"),
    row(70_016, "authorization_pending", nil, .poll, "the user has not finished on the other device yet"),
    row(70_018, "bad_verification_code", nil, .restart, "the code that the user typed is wrong"),
    row(70_019, "expired_token", nil, .restart, "the device code has expired"),
    row(70_020, "expired_token", nil, .restart, "the device code has expired"),
    row(7_000_014, grant, nil, .restart, "the device code is not valid"),
  ]

  /// Conditional access, consent, and who may use which app.
  static let policyAndConsent: [AADSTS] = [
    row(
      50_105, interaction, nil, .developerOrAdmin, [.page],
      "the app is for assigned users only, and this one is not assigned"),
    row(
      53_000, interaction, "message_only", .beyondSignIn, [.inferred],
      "the device does not comply with the organization's rules"),
    row(53_001, interaction, nil, .developerOrAdmin, [.inferred], "the device is not joined to the domain"),
    row(
      53_002, interaction, nil, .developerOrAdmin, [.inferred],
      "the app is not on the organization's list of approved apps"),
    row(53_003, grant, "message_only", .differentRequest, "a conditional access policy blocks the sign-in"),
    row(53_004, interaction, nil, .developerOrAdmin, "registering a second factor was stopped because of risk"),
    row(53_005, unauthorized, "protection_policy_required", .beyondSignIn, "the app must be protected by Intune first"),
    row(530_002, grant, nil, .beyondSignIn, "the device must comply with the organization's rules"),
    row(530_003, grant, nil, .beyondSignIn, "the device must be managed"),
    row(65_001, grant, "consent_required", .interactive, "nobody has consented to what the app asks for"),
    row(65_002, request, nil, .developerOrAdmin, [.inferred], "Microsoft's own apps must be authorized beforehand"),
    row(65_004, "access_denied", nil, .interactive, "the user declined to consent"),
    row(
      65_005, request, nil, .developerOrAdmin, [.inferred], "the registration does not list the resource or permission"),
    row(
      650_052, request, nil, .developerOrAdmin, [.inferred, .page],
      "the organization has no subscription to the resource"),
    row(650_053, client, nil, .differentRequest, "the resource has no permission of that name"),
    row(
      90_093, "consent_required", nil, .developerOrAdmin, [.inferred, .page],
      "only an administrator can consent to this"),
    row(90_094, "consent_required", nil, .developerOrAdmin, [.inferred, .page], "an administrator must consent first"),
    row(
      90_095, "consent_required", nil, .developerOrAdmin, [.inferred, .page], "an administrator can be asked to consent"
    ),
    row(
      90_099, "consent_required", nil, .developerOrAdmin, [.inferred, .page],
      "the app has not been authorized in this tenant"),
  ]

  /// The app's registration and the shape of its requests.
  static let clientAndRequest: [AADSTS] = [
    row(28_000, request, nil, .differentRequest, [.inferred, .page], "the scopes belong to more than one resource"),
    row(28_002, request, nil, .differentRequest, "a scope has no valid form"),
    row(28_003, request, nil, .differentRequest, "no scope was sent with the code"),
    row(50_001, "invalid_resource", nil, .developerOrAdmin, "the resource is not registered"),
    row(500_011, "invalid_resource", nil, .developerOrAdmin, "the resource does not exist in this tenant"),
    row(50_011, client, nil, .developerOrAdmin, [.page], "the redirect URI is not registered for the app"),
    row(50_012, client, nil, .developerOrAdmin, [.inferred], "the client's assertion or certificate was not accepted"),
    row(50_049, "invalid_instance", nil, .differentRequest, "no cloud has this authority's host"),
    row(50_059, request, nil, .differentRequest, [.inferred], "nothing in the request says which tenant"),
    row(50_146, request, nil, .developerOrAdmin, [.inferred], "the app needs a signing key of its own"),
    row(501_461, request, nil, .developerOrAdmin, [.inferred], "mapped claims are not allowed for this audience"),
    row(50_147, request, nil, .differentRequest, [.inferred], "the PKCE challenge has the wrong length"),
    row(501_481, grant, nil, .differentRequest, [.inferred], "the PKCE verifier does not belong to the challenge"),
    row(50_194, request, nil, .developerOrAdmin, [.page], "a single-tenant app was used with a multi-tenant authority"),
    row(70_002, client, nil, .developerOrAdmin, "the client's credentials are wrong"),
    row(70_003, "unsupported_grant_type", nil, .differentRequest, "this grant type is not supported"),
    row(70_005, "unsupported_response_type", nil, .differentRequest, "this response type is not known"),
    row(700_054, "unsupported_response_type", nil, .differentRequest, "id tokens are not enabled for the app"),
    row(70_007, request, nil, .differentRequest, "this response mode does not go with this response type"),
    row(70_011, "invalid_scope", nil, .differentRequest, "a scope is unknown or malformed"),
    row(70_012, "server_error", nil, .wait, "the service for personal accounts failed"),
    row(700_016, unauthorized, nil, .developerOrAdmin, [.page], "no app with this client id in the tenant"),
    row(700_022, request, nil, .differentRequest, [.page], "the scopes belong to more than one resource"),
    row(700_023, "invalid_scope", nil, .differentRequest, [.inferred], "the scope's resource is not the one expected"),
    row(700_025, client, nil, .differentRequest, "a public client must not send a secret"),
    row(700_024, client, nil, .developerOrAdmin, "the client's assertion is outside its time"),
    row(700_027, client, nil, .developerOrAdmin, "the signature of the client's assertion failed"),
    row(7_000_112, unauthorized, nil, .developerOrAdmin, "the app is disabled"),
    row(7_000_215, client, nil, .developerOrAdmin, "the client secret is wrong"),
    row(
      7_000_218, client, nil, .developerOrAdmin,
      "a secret or assertion is needed: the app allows no public client flows"),
    row(7_000_222, client, nil, .developerOrAdmin, "the client secret has expired"),
    row(90_002, "invalid_tenant", nil, .differentRequest, "no such tenant"),
    row(90_005, request, nil, .differentRequest, "an id token hint and a login hint were both sent"),
    row(90_006, "temporarily_unavailable", nil, .wait, [.inferred], "a service behind this one failed"),
    row(90_008, "temporarily_unavailable", nil, .wait, [.inferred], "a service behind this one failed"),
    row(90_012, "temporarily_unavailable", nil, .wait, [.inferred], "the request took too long"),
    row(90_024, "temporarily_unavailable", nil, .wait, [.inferred], "a passing fault of the service"),
    row(90_033, "temporarily_unavailable", nil, .wait, [.inferred], "a passing fault of the service"),
    row(90_009, request, nil, .differentRequest, "an app that asks a token for itself must use its GUID"),
    row(90_010, request, nil, .differentRequest, "the request is not supported for this configuration"),
    row(9_001_023, request, nil, .differentRequest, "this grant is not supported on common or consumers"),
    row(90_013, request, nil, .differentRequest, "the user's input is not valid"),
    row(90_014, request, nil, .differentRequest, "a required field is missing"),
    row(900_144, request, nil, .differentRequest, "a required parameter is missing"),
    row(90_015, request, nil, .differentRequest, "the query is too long"),
    row(90_019, request, nil, .differentRequest, "nothing in the request says which tenant"),
    row(90_023, request, nil, .differentRequest, "the sign-in request is not valid"),
    row(900_023, request, nil, .differentRequest, "the tenant is neither a GUID nor a domain"),
    row(9_002_313, grant, nil, .differentRequest, "the request or a token in it is malformed"),
    row(9_002_325, request, nil, .developerOrAdmin, "a browser app must use PKCE"),
    row(
      9_002_326, request, nil, .developerOrAdmin, "a browser redeems a code whose redirect URI is not a browser app's"),
    row(9_002_327, request, nil, .developerOrAdmin, "a browser app's code was redeemed from elsewhere"),
    row(9_002_332, nil, nil, .developerOrAdmin, [.page], "the app is for organizations and was used with consumers"),
    row(
      9_002_346, nil, nil, .developerOrAdmin, [.page],
      "the app is for personal accounts and was used with another authority"),
    row(90_055, "temporarily_unavailable", nil, .wait, [.inferred], "the tenant sends too many requests"),
    row(900_561, request, nil, .differentRequest, "this endpoint takes POST only"),
    row(
      901_002, request, nil, .differentRequest,
      "version 2 did not accept the resource parameter before March 2026: use scopes"),
    row(
      9_010_010, "invalid_target", nil, .differentRequest,
      "the resource parameter is another resource than that of the scopes: leave it out, or correct it"),
    row(
      1_002_012, "invalid_scope", nil, .differentRequest,
      "client credentials need the scope {resource}/.default: permissions cannot be named"),
    row(900_971, nil, nil, .developerOrAdmin, [.page], "the app has no redirect URI"),
    row(
      90_124, request, nil, .developerOrAdmin, [.inferred, .page], "the app cannot be used with common or consumers"),
    row(
      90_130, request, nil, .developerOrAdmin, [.inferred, .page], "the app cannot be used with common or consumers"),
    row(
      900_439, request, nil, .developerOrAdmin, [.inferred],
      "an app of the US government cloud was used in the public one"),
    row(500_201, request, nil, .differentRequest, [.inferred], "a personal account at a version 1 endpoint"),
    row(135_010, nil, nil, .developerOrAdmin, "the key of the passwordless sign-in was not found"),
    row(135_011, nil, nil, .developerOrAdmin, "the device is disabled"),
  ]
}
