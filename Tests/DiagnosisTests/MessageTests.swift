import Diagnosis
import Testing

/// Messages from libraries, frameworks, and programs, and texts that do not determine a cause.
@Suite struct MessageTests {
  private func main(_ text: String) -> DiagnosedFailure? {
    var diagnoser = Diagnoser()
    diagnoser.add(Array(text.utf8), named: "app.log")
    return diagnoser.result.main
  }

  @Test(arguments: [
    ("ClientAuthError: Nonce is not matching, Nonce received: null, nonce expected: 1", "state-mismatch"),
    ("[auth][error][OAUTH_CALLBACK_ERROR] State cookie was missing.", "state-mismatch"),
    ("OAuth2AuthenticationException: [authorization_request_not_found]", "state-mismatch"),
    ("The token request could not be fetched from the cache correctly.", "state-mismatch"),
    ("oidc: issuer did not match the issuer returned by provider", "token-version-or-issuer-mismatch"),
    ("Invalid ID Token, Issuer mismatch", "token-version-or-issuer-mismatch"),
    ("ERROR: Invalid id_token. Cannot handle token prior to 2024-01-01T10:00:00+0000", "clock-skew"),
    ("jwt.exceptions.ImmatureSignatureError: the token was issued in the future", "clock-skew"),
    (
      "invalid_client: AADSTS700027: The certificate used to sign the client assertion is not registered on application.",
      "client-secret-wrong"
    ),
    (
      "{\"error\":\"invalid_client\",\"error_description\":\"The value for the 'client_secret' parameter is not valid.\"}",
      "client-secret-wrong"
    ),
    ("error=redirect_uri_mismatch&error_description=AADB2C90287%3a+invalid", "redirect-uri-not-registered"),
    (
      "The reply address 'https://a.example/1' does not match the reply address 'https://a.example/2' provided when "
        + "requesting Authorization code.", "redirect-uri-wrong-in-code"
    ),
    ("AADSTS70011: One or more scopes in 'a b' are not compatible with each other.", "scope-combination-invalid"),
    (
      "AADSTS70011: The scope https://graph.microsoft.com/.default https://vault.azure.net/.default is not valid.",
      "scope-combination-invalid"
    ),
    ("AADSTS50001: Resource identifier is not provided.", "request-malformed"),
    ("fatal: WAM Error\n Error Code: 3399614466\n Error Message: NoNetwork", "network-unreachable"),
    ("A window handle must be configured.", "interactive-ui-unavailable"),
    (
      "System.PlatformNotSupportedException: Darwin\n   at NetCorePlatformProxy.StartDefaultOsBrowserAsync(String url)",
      "interactive-ui-unavailable"
    ),
    (
      "No Activity found to handle Intent { act=android.intent.action.VIEW dat=https://login }",
      "interactive-ui-unavailable"
    ),
    ("Failed to find keychain item (status: -34018)", "keychain-entitlement-missing"),
    ("Error: More than one token matches the criteria. The result is ambiguous.", "cache-entries-ambiguous"),
    ("java.lang.IllegalArgumentException: Empty scopes list. MSAL", "scope-combination-invalid"),
    ("AADB2C90211: the state cookie is incomplete", "state-mismatch"),
    ("AADB2C90018: the client is not known", "app-not-found-in-tenant"),
    ("AADSTS700022: The scopes belong to more than one resource.", "scope-combination-invalid"),
    ("Connect: The partner returned a bad sign-in name or password error.", "credentials-invalid"),
  ]) func `determines the cause of a message`(text: String, cause: String) throws {
    let failure = try #require(main(text))
    let ranking = failure.candidates.map { "\($0.cause.id) \($0.confidence)" }
    #expect(failure.cause?.id == cause, "\(ranking)")
  }

  @Test(arguments: [
    "AADSTS50011", "AADSTS700016", "invalid_grant", "access_denied", "ClientAuthError: endpoints_resolution_error",
    "BrowserAuthError: monitor_window_timeout: Token acquisition in iframe failed due to timeout.",
    "AADSTS50012: Authentication failed.", "invalid_client",
    "AADSTS70011: The provided value for the input parameter 'scope' is not valid.",
    "Authorization session was cancelled programmatically. MSALErrorDomain Code=-50005",
    "AADTokenFactory.swift: 316 Failed to fetch msal token",
    "(com.apple.AuthenticationServices.WebAuthenticationSession error 2.)",
    "failed to verify signature: failed to verify id token signature",
    "Failed to find keychain item (status: -25308)",
    "{\"error\":\"authorization_pending\",\"error_description\":\"AADSTS70016: not yet authorized\"}",
    "The token request could not be fetched from the cache correctly. The reply address 'a' does not match the reply "
      + "address 'b' provided when requesting Authorization code.",
  ]) func `does not determine a cause if the text is inconclusive`(text: String) {
    let failure = main(text)
    #expect(failure?.cause == nil, "\(failure?.cause?.id ?? "")")
  }

  @Test func `does not determine whether an Apple redirect URI has the wrong bundle ID`() {
    let failure = main(
      "Error Domain=MSALErrorDomain Code=-50000 UserInfo={MSALErrorDescriptionKey=AADSTS50011: The redirect URI "
        + "'msauth.com.contoso.demo://auth' specified in the request does not match the redirect URIs configured for "
        + "the application 'x'.}")
    #expect(failure?.cause == nil)
    #expect(
      failure?.candidates.prefix(2).map(\.cause.id)
        == ["redirect-uri-not-registered", "redirect-uri-bundle-id-mismatch"])
  }

  @Test func `lists candidates for a text without codes`() {
    let failure = main("sign-in error: the state is invalid, please try again")
    #expect(failure?.cause == nil)
    #expect(failure?.candidates.first?.cause.id == "state-mismatch")
  }

  @Test func `does not match a phrase within a word`() {
    let causes = main("StateNotFoundError: no state")?.candidates.map(\.cause.id) ?? []
    #expect(!causes.contains("network-unreachable"))
    #expect(main("Error: getaddrinfo ENOTFOUND login.microsoftonline.com")?.cause?.id == "network-unreachable")
  }

  @Test func `does not report a Windows broker number as a service code`() {
    #expect(main("error code: 2156265475, MSAL failed")?.codes.contains { $0.hasPrefix("AADSTS") } != true)
  }

  @Test func `determines an account mode mismatch only if the text contains the configuration`() {
    let text = "multiple account PublicClientApplication could not be created"
    #expect(main(text)?.cause == nil)
    #expect(main("{ \"account_mode\" : \"SINGLE\" }\n" + text)?.cause?.id == "account-mode-mismatch")
  }

  @Test func `recognizes a system error by its domain and code`() {
    let text = "Error Domain=com.apple.AuthenticationServices.WebAuthenticationSession Code=1 \"(null)\""
    #expect(main(text)?.candidates.first?.cause.id == "user-cancelled")
  }
}
