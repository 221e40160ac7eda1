extension AppCode {
  static let callGraph = AppCode(
    step: "callGraph",
    swift: .code(
      """
      /// GET /me with a fresh token; a claims challenge is met once.
      @MainActor func profile(claims: MSALClaimsRequest? = nil) async throws -> Data {
        guard let result = try await token(claims: claims) else { throw CancellationError() }
        var request = URLRequest(url: URL(string: "https://graph.microsoft.com/v1.0/me")!)
        request.setValue(result.authorizationHeader, forHTTPHeaderField: "Authorization")
        let (body, response) = try await URLSession.shared.data(for: request)
        guard let answer = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        switch answer.statusCode {
        case 200..<300:
          return body
        case 401 where claims == nil:
          // The API wants more than the token holds: ask again with just these claims, and keep them for nothing else.
          guard let challenge = claimsChallenge(answer.value(forHTTPHeaderField: "WWW-Authenticate")) else {
            throw GraphError(status: 401)
          }
          return try await profile(claims: challenge)
        case 429, 503:
          throw Busy(retryAfter: answer.value(forHTTPHeaderField: "Retry-After"))
        default:
          throw GraphError(status: answer.statusCode)  // 403: a permission is missing, and no retry brings it
        }
      }

      /// The claims of a challenge: base64 behind `claims="`.
      func claimsChallenge(_ header: String?) -> MSALClaimsRequest? {
        guard let header, let start = header.range(of: "claims=\\"") else { return nil }
        let encoded = header[start.upperBound...].prefix { $0 != "\\"" }
        guard let data = Data(base64Encoded: String(encoded)) else { return nil }
        var error: NSError?
        return MSALClaimsRequest(jsonString: String(decoding: data, as: UTF8.self), error: &error)
      }
      """,
      note: """
        token(claims:) sets claimsRequest of MSALSilentTokenParameters and MSALInteractiveTokenParameters; with claims MSAL passes \
        the cached token over.
        """),
    objc: .code(
      """
      // GET /me with a fresh token; a claims challenge is met once.
      - (void)profileWithClaims:(nullable MSALClaimsRequest *)claims
      {
          [self tokenWithClaims:claims completion:^(MSALResult *result, NSError *error) {
              if (result == nil) {
                  [self report:error];
                  return;
              }
              NSURL *url = [NSURL URLWithString:@"https://graph.microsoft.com/v1.0/me"];
              NSMutableURLRequest *request = [NSMutableURLRequest requestWithURL:url];
              [request setValue:result.authorizationHeader forHTTPHeaderField:@"Authorization"];
              [self send:request completion:^(NSData *body, NSHTTPURLResponse *answer) {
                  if (answer.statusCode == 200) {
                      [self showProfile:body];
                      return;
                  }
                  NSString *challenge = [self claimsInHeader:answer.allHeaderFields[@"WWW-Authenticate"]];
                  if (answer.statusCode == 401 && claims == nil && challenge != nil) {
                      // The API wants more than the token holds: ask again with just these claims.
                      NSError *unreadable = nil;
                      MSALClaimsRequest *wanted = [[MSALClaimsRequest alloc] initWithJsonString:challenge
                                                                                          error:&unreadable];
                      [self profileWithClaims:wanted];
                      return;
                  }
                  // 403: a permission is missing, and no retry brings it. 429, 503: wait for Retry-After.
                  [self reportStatus:answer.statusCode];
              }];
          }];
      }
      """),
    csharp: .code(
      """
      /// GET /me with a fresh token; a claims challenge is met once.
      public async Task<string> ProfileAsync(IAccount account, string? claims = null)
      {
          AuthenticationResult result;
          try
          {
              result = await application.AcquireTokenSilent(scopes, account).WithClaims(claims).ExecuteAsync();
          }
          catch (MsalUiRequiredException)
          {
              result = await application.AcquireTokenInteractive(scopes).WithAccount(account).WithClaims(claims)
                  .ExecuteAsync();
          }
          using var request = new HttpRequestMessage(HttpMethod.Get, "https://graph.microsoft.com/v1.0/me");
          request.Headers.Add("Authorization", result.CreateAuthorizationHeader());
          using var answer = await http.SendAsync(request);
          if (answer.StatusCode == HttpStatusCode.Unauthorized && claims == null)
          {
              // The API wants more than the token holds: ask again with just these claims.
              var challenge = WwwAuthenticateParameters.GetClaimChallengeFromResponseHeaders(answer.Headers);
              if (!string.IsNullOrEmpty(challenge))
              {
                  return await ProfileAsync(account, challenge);
              }
          }
          // 403: a permission is missing, and no retry brings it. 429, 503: wait for Retry-After.
          answer.EnsureSuccessStatusCode();
          return await answer.Content.ReadAsStringAsync();
      }
      """),
    kotlin: .code(
      """
      /** GET /me with a fresh token; a claims challenge is met once. Not on the main thread. */
      fun profile(result: IAuthenticationResult, mayBeChallenged: Boolean = true): String? {
          val connection = URL("https://graph.microsoft.com/v1.0/me").openConnection() as HttpURLConnection
          connection.setRequestProperty("Authorization", result.authorizationHeader)
          return when (connection.responseCode) {
              200 -> connection.inputStream.bufferedReader().use { it.readText() }
              401 -> {
                  // The API wants more than the token holds: ask again with just these claims.
                  val challenge = claimsInHeader(connection.getHeaderField("WWW-Authenticate"))
                  if (challenge != null && mayBeChallenged) {
                      askAgain(ClaimsRequest.getClaimsRequestFromJsonString(challenge))
                  }
                  null
              }
              429, 503 -> null.also { waitFor(connection.getHeaderField("Retry-After")) }
              else -> null // 403: a permission is missing, and no retry brings it
          }
      }
      """,
      note:
        "askAgain hands the claims to withClaims of AcquireTokenSilentParameters.Builder, then of AcquireTokenParameters.Builder."
    ),
    java: .code(
      """
      /** GET /me with a fresh token; a claims challenge is met once. Not on the main thread. */
      String profile(IAuthenticationResult result, boolean mayBeChallenged) throws IOException {
          HttpURLConnection connection =
              (HttpURLConnection) new URL("https://graph.microsoft.com/v1.0/me").openConnection();
          connection.setRequestProperty("Authorization", result.getAuthorizationHeader());
          switch (connection.getResponseCode()) {
              case 200:
                  return read(connection.getInputStream());
              case 401:
                  // The API wants more than the token holds: ask again with just these claims.
                  String challenge = claimsInHeader(connection.getHeaderField("WWW-Authenticate"));
                  if (challenge != null && mayBeChallenged) {
                      askAgain(ClaimsRequest.getClaimsRequestFromJsonString(challenge));
                  }
                  return null;
              case 429:
              case 503:
                  waitFor(connection.getHeaderField("Retry-After"));
                  return null;
              default:
                  return null; // 403: a permission is missing, and no retry brings it
          }
      }
      """,
      note:
        "askAgain hands the claims to withClaims of AcquireTokenSilentParameters.Builder, then of AcquireTokenParameters.Builder."
    ),
    handles: ["claimsChallenge", "forbidden", "throttled", "serviceUnavailable"])
}
