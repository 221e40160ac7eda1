import Diagnosis
import Testing

/// Messages from many libraries for the same causes, and texts whose cause is only one of several candidates.
@Suite struct LibraryMessageTests {
  private func main(_ text: String) -> DiagnosedFailure? { Diagnoser.result(of: text).main }

  private func candidates(_ text: String) -> [String] { main(text)?.candidates.map(\.cause.id) ?? [] }

  @Test(arguments: [
    (
      "Broker response returned error: The redirect URI doesn't match the uri generated with caller package name and "
        + "signature", "redirect-uri-signature-hash-mismatch"
    ),
    ("OAuth2Client: ERROR: No response from the server", "network-unreachable"),
    ("RPError: unexpected \"aud\" claim value", "expected-audience-misconfigured"),
    ("token has invalid claims: token has invalid audience", "expected-audience-misconfigured"),
    ("BadJWTException: JWT audience rejected: [api]", "expected-audience-misconfigured"),
    ("token has invalid claims: token has invalid issuer", "token-version-or-issuer-mismatch"),
    ("AKV10022: Invalid audience. Expected https://vault.azure.net", "token-wrong-audience"),
    ("InvalidAuthenticationTokenAudience: obtained from wrong audience or resource", "token-wrong-audience"),
    ("mismatching_state: CSRF Warning! State not equal in request and response.", "state-mismatch"),
    ("error: login.OAuthLogin(missing saved state)", "state-mismatch"),
    ("Error: No matching state found in storage", "state-mismatch"),
    ("AppAuth: Issued at time is more than 10 minutes before or after the current time", "clock-skew"),
    ("Error Domain=org.openid.appauth.general Code=-3 \"(null)\"", "user-cancelled"),
    ("Error Domain=org.openid.appauth.general Code=-5 \"(null)\"", "network-unreachable"),
    ("Error Domain=org.openid.appauth.general Code=-9 \"(null)\"", "interactive-ui-unavailable"),
    ("login_progress_error: login is already in progress", "interaction-in-progress"),
    ("PlatformException(error, Concurrent operations detected, null, null)", "interaction-in-progress"),
    ("user_login_error: request must contain either sid or login_hint", "no-account-for-silent"),
    ("Please run 'az login' to setup account.", "no-account-for-silent"),
    ("error: Expired device code", "device-code-expired"),
    ("ERR_TLS_CERT_ALTNAME_INVALID", "tls-not-trusted"),
    ("cURL error 60: SSL certificate problem", "tls-not-trusted"),
    ("TypeError: fetch failed, UND_ERR_CONNECT_TIMEOUT", "network-unreachable"),
    ("challenge with code TokenIssuedBeforeRevocationTimestamp", "grant-revoked"),
    ("AADSTS70008: The refresh token has expired due to it being revoked.", "grant-revoked"),
    (
      "Your sign-in was successful but does not meet the criteria to access this resource.", "conditional-access-device"
    ),
    ("ValueError: You cannot use any scope value that is reserved.", "scope-combination-invalid"),
    ("multiple_authorities: Multiple authorities found in the cache.", "cache-entries-ambiguous"),
    ("BadJWTException: Invalid token issuer", "token-version-or-issuer-mismatch"),
    ("BadJWTException: JWT before use time", "clock-skew"),
    ("ValueError: state missing from auth_code_flow", "state-mismatch"),
    (
      "AADSTS70000: The provided 'code_verifier' input value does not match the original 'code_challenge'.",
      "pkce-mismatch"
    ),
    ("OfficeRuntime.auth.getAccessToken failed, code: 13002", "user-cancelled"),
    ("OfficeRuntime.auth.getAccessToken failed, code: 13008", "interaction-in-progress"),
    ("webview2_runtime_not_installed", "interactive-ui-unavailable"),
    ("'authority' is not in the list of valid addresses", "authority-not-known"),
  ]) func `determines the cause of a message from any library`(text: String, cause: String) throws {
    let failure = try #require(main(text))
    #expect(
      failure.candidates.first?.cause.id == cause, "\(failure.candidates.map { "\($0.cause.id) \($0.confidence)" })")
  }

  @Test(arguments: [
    ("error: bad_token, the refresh token is invalid", "refresh-token-expired-inactivity"),
    ("error: bad_token, the refresh token is invalid", "grant-revoked"),
    ("Frame window timed out, error", "no-session-for-silent-sign-in"),
    ("Frame window timed out, error", "redirect-hash-cleared"),
    ("exception: A task was canceled.", "network-unreachable"),
    ("IDW10201: Neither scope nor roles claim was found in the bearer token.", "graph-permission-missing"),
    ("AADSTS50128: no tenant for the domain", "app-not-found-in-tenant"),
    ("error: jwt is not well formed", "token-wrong-audience"),
    ("MsalClientException: invalid_authorization_result", "state-mismatch"),
    ("MsalClientException: invalid_authorization_result", "user-cancelled"),
    ("Error: audience mismatch", "token-wrong-audience"),
    ("request failed: unable to connect to the host", "network-unreachable"),
    ("SecurityTokenInvalidAudienceException: IDX10214: Audience validation failed.", "expected-audience-misconfigured"),
    ("Bearer error=\"invalid_token\", \"The aud claim is not valid\"", "expected-audience-misconfigured"),
    ("Error Code: 53003\nDevice state: Compliant", "conditional-access-device"),
  ]) func `lists a possible cause without determining it`(text: String, cause: String) {
    #expect(candidates(text).prefix(3).contains(cause), "\(candidates(text))")
    #expect(main(text)?.isDetermined == false)
  }

  @Test func `does not determine the cause if the audience belongs to another app`() {
    let text = """
      IDX10214: Audience validation failed. Audiences: 'https://api.contoso.example'. Did not match: \
      validationParameters.ValidAudience: '11111111-2222-3333-4444-555555555555' or \
      validationParameters.ValidAudiences: 'null'.
      """
    #expect(candidates(text).prefix(2) == ["expected-audience-misconfigured", "token-wrong-audience"])
    #expect(main(text)?.isDetermined == false)
    let same = text.replacing("https://api.contoso.example", with: "api://11111111-2222-3333-4444-555555555555")
    #expect(main(same)?.cause?.id == "expected-audience-misconfigured")
    let listed = text.replacing("'null'", with: "'a, https://api.contoso.example/'")
      .replacing("'11111111-2222-3333-4444-555555555555'", with: "'null'")
    #expect(main(listed)?.cause?.id == "expected-audience-misconfigured")
  }

  @Test func `reads claims that are separated from their values by tabs`() {
    let text = "jwtVerify: cannot verify token\n\naud\t00000003-0000-0000-c000-000000000000\nver\t1.0"
    #expect(main(text)?.cause?.id == "token-wrong-audience")
    #expect(main(text.replacing("\t", with: " "))?.cause == nil)
  }

  @Test(arguments: [
    ("AADSTS50132", "grant-revoked"), ("AADSTS50097", "conditional-access-device"), ("AADSTS50078", "mfa-required"),
    ("AADSTS70001", "app-not-found-in-tenant"), ("AADSTS90023", "request-malformed"),
  ]) func `recognizes codes that the emulator does not return`(code: String, cause: String) {
    let failure = main("Error: \(code)")
    #expect(failure?.codes == [code])
    #expect(failure?.candidates.first?.cause.id == cause)
  }

  @Test func `does not determine the cause if a missing local file breaks the connection`() {
    let text = "ProtocolError('Connection aborted.', FileNotFoundError(2, 'No such file or directory'))"
    #expect(main(text)?.isDetermined != true)
    #expect(main("ProtocolError('Connection aborted.', timeout(60))")?.cause?.id == "network-unreachable")
  }

  @Test func `does not report a wrong clock for an expiry check`() {
    #expect(candidates("JWTExpired: \"exp\" claim timestamp check failed").first != "clock-skew")
    #expect(main("JWTClaimValidationFailed: \"nbf\" claim timestamp check failed")?.cause?.id == "clock-skew")
  }

  @Test(
    "does not determine a cause if the same sign-in works elsewhere",
    arguments: [
      "Chrome works, Safari shows the empty pop-up", "the same build works on iOS 17",
      "the same token is accepted with version 1.12", "occasionally; the next attempt succeeds",
    ])
  func contrast(remark: String) {
    let text = "BrowserAuthError: user_cancelled: User cancelled the flow."
    #expect(main(text)?.isDetermined == true)
    #expect(main("\(text)\n(\(remark))")?.isDetermined == false)
    #expect(candidates("\(text)\n(\(remark))").first == "user-cancelled")
  }
}
