import Documents
import Handbook
import IdentityPlatform
import Testing

/// Tests pasted errors from several libraries in several encodings.
@Suite struct PastedTextTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    /// The names of the entries that the text contains, in order.
    var found: [String]
    var unlisted: [String] = []
    var correlationIDs: [String] = []
    var testDescription: String { name }
  }

  static let samples: [Sample] = [
    Sample(
      name: "NSError of MSAL, -50000 with an internal code",
      text: """
        Error Domain=MSALErrorDomain Code=-50000 "(null)" UserInfo={MSALErrorDescriptionKey=Only one interactive session is \
        allowed at a time., MSALInternalErrorCodeKey=-42402, MSALCorrelationIDKey=EF0E0F78-758C-4293-8A1E-37CDA1C0C579}
        """,
      found: ["MSALInternalErrorInteractiveSessionAlreadyRunning", "MSALErrorInternal"],
      correlationIDs: ["ef0e0f78-758c-4293-8a1e-37cda1c0c579"]),
    Sample(
      name: "NSError as a dictionary over several lines",
      text: """
        could not acquire token: Error Domain=MSALErrorDomain Code=-50002 "(null)" UserInfo={...} => {
            MSALInternalErrorCodeKey = "-42104";
            MSALOAuthErrorKey = "invalid_grant";
            MSALOAuthSubErrorKey = "bad_token";
            MSALSTSErrorCodesKey = (
                50173
            );
        }
        """,
      found: [
        "AADSTS50173", "bad_token", "MSALInternalErrorAuthorizationFailed", "MSALErrorInteractionRequired",
        "invalid_grant",
      ]),
    Sample(
      name: "localized description only",
      text: "The operation couldn’t be completed. (MSALErrorDomain error -50005.)", found: ["MSALErrorUserCanceled"]),
    Sample(
      name: "Python's dictionary",
      text: """
        {'error': 'invalid_grant', 'error_description': 'AADSTS65001: The user or administrator has not consented to use the \
        application. Trace ID: 255d1aef-8c98-452f-ac51-23d051240864 Correlation ID: fb3d2015-bc17-4bb9-bb85-30c5cf1aaaa7 \
        Timestamp: 2025-02-27 22:38:35Z', 'error_codes': [65001], 'suberror': 'consent_required', 'claims': None}
        """,
      found: ["AADSTS65001", "consent_required", "invalid_grant"],
      correlationIDs: ["fb3d2015-bc17-4bb9-bb85-30c5cf1aaaa7"]),
    Sample(
      name: "the token endpoint's JSON, codes as numbers only",
      text: #"{"error":"invalid_client","error_description":"no code here","error_codes":[7000218,700016]}"#,
      found: ["AADSTS7000218", "AADSTS700016", "invalid_client"]),
    Sample(
      name: "MSAL.NET's exception",
      text: """
        MSAL.NetCore.4.60.3.0.MsalUiRequiredException:
            ErrorCode: invalid_grant
        Microsoft.Identity.Client.MsalUiRequiredException: AADSTS50076: Due to a configuration change made by your \
        administrator, you must use multi-factor authentication. ---> System.Net.Http.HttpRequestException
           at Microsoft.Identity.Client.OAuth2.OAuth2Client.ThrowServerException
            StatusCode: 400
            CorrelationId: 8b1a7a40-66b3-4ad3-9f0e-b7a1d6f44f7c
        """,
      found: ["AADSTS50076", "MsalUiRequiredException", "invalid_grant"],
      correlationIDs: ["8b1a7a40-66b3-4ad3-9f0e-b7a1d6f44f7c"]),
    Sample(
      name: "MSAL for Java",
      text: """
        java.util.concurrent.ExecutionException: com.microsoft.aad.msal4j.MsalInteractionRequiredException: AADSTS50079: Due to \
        a configuration change
        """,
      found: ["AADSTS50079", "MsalInteractionRequiredException"]),
    Sample(
      name: "msal.js",
      text: "InteractionRequiredAuthError: interaction_required: AADSTS160021: Application requested a user session",
      found: ["InteractionRequiredAuthError", "interaction_required"], unlisted: ["AADSTS160021"]),
    Sample(
      name: "Android's log",
      text: """
        E/MSAL: [2024-05-02 09:14:11 - thread_id: 512, correlation_id: 0f9ec6d2-0e31-4f7a-8a2f-0a8a2e9a3f55] \
        MsalDeclinedScopeException: Some or all requested scopes have been declined by the Server
        """,
      found: ["MsalDeclinedScopeException"], correlationIDs: ["0f9ec6d2-0e31-4f7a-8a2f-0a8a2e9a3f55"]),
    Sample(
      name: "MSAL's own log line",
      text: """
        TID=91475 MSAL 1.3.3 iOS 17.5.1 [2024-07-12 14:58:48 - 30335059-0748-4504-B76C-27F0C99C7881] [MSAL] Silent flow \
        finished. Result (null), error: -51115 error domain: MSIDErrorDomain. MaskedError(MSALErrorDomain, -50002)
        """,
      found: ["MSALErrorInteractionRequired", "MSIDErrorInteractionRequired"],
      correlationIDs: ["30335059-0748-4504-b76c-27f0c99c7881"]),
    Sample(
      name: "a redirect",
      text:
        "msauth.com.contoso.app://auth?error=access_denied&error_description=AADB2C90118%3a+The+user+has+forgotten+their+password.%0d%0aCorrelation+ID%3a+f6b5b1a0-9a4e-4f7c-8e25-4b9d1b8a7c11%0d%0aTimestamp%3a+2025-01-02+03%3a04%3a05Z&state=c3RhdGU",
      found: ["AADB2C90118", "access_denied"], correlationIDs: ["f6b5b1a0-9a4e-4f7c-8e25-4b9d1b8a7c11"]),
    Sample(
      name: "an error page's text",
      text: """
        Sorry, but we’re having trouble signing you in.
        AADSTS50011: The redirect URI specified in the request does not match
        Request Id: 4a9dbb1c-2ab7-4c6f-9c4a-3d1b7a6f2e00
        Correlation Id: 1e0f7d4c-7a7b-4d2a-a2ab-0d4b8c9a6f10
        Timestamp: 2025-03-04T05:06:07Z
        """,
      found: ["AADSTS50011"], correlationIDs: ["1e0f7d4c-7a7b-4d2a-a2ab-0d4b8c9a6f10"]),
    Sample(
      name: "an error page's markup",
      text: "<div>&quot;error&quot;:&quot;invalid_scope&quot; AADSTS&nbsp;70011</div>",
      found: ["AADSTS70011", "invalid_scope"]),
    Sample(
      name: "JSON in a string of JSON",
      text: #"{"message":"{\"error\":\"invalid_grant\",\"suberror\":\"bad_token\",\"error_codes\":[70000]}"}"#,
      found: ["AADSTS70000", "bad_token", "invalid_grant"]),
    Sample(
      name: "a claims challenge from an API",
      text: #"WWW-Authenticate: Bearer realm="", error="insufficient_claims", claims="eyJhY2Nlc3NfdG9rZW4iOnt9fQ==""#,
      found: ["insufficient_claims"]),
    Sample(
      name: "a printed Swift error", text: "caught MSALError.interactionRequired while refreshing",
      found: ["MSALErrorInteractionRequired"]),
    Sample(
      name: "a key without other names", text: "what is MSALHTTPHeadersKey?",
      found: ["MSALHTTPHeadersKey"]),
    Sample(
      name: "no names", text: "Hello, this is a letter about error handling and my silent cat, -7 degrees.", found: []),
    Sample(name: "empty", text: "", found: []),
  ]

  @Test(arguments: samples) func findsCodesInPastedErrors(sample: Sample) {
    let text = PastedText(sample.text)
    #expect(text.entries.map(\.name) == sample.found)
    #expect(text.unlisted.map(\.code.code) == sample.unlisted)
    #expect(text.correlationIDs == sample.correlationIDs)
  }

  @Test func findsTimestampsAndStatuses() {
    let text = PastedText(
      "Timestamp: 2025-02-27 22:38:35Z {MSALHTTPResponseCodeKey=429} Trace ID: 255d1aef-8c98-452f-ac51-23d051240864 -42007"
    )
    #expect(text.timestamps == ["2025-02-27 22:38:35Z"])
    #expect(text.httpStatuses == [429])
    #expect(text.traceIDs == ["255d1aef-8c98-452f-ac51-23d051240864"])
  }

  @Test func omitsSecrets() {
    let secrets = [
      "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJtZWdhbiJ9.c2lnbmF0dXJl", "0.AXkA1234567890refreshtoken", "M.C107_code-value",
      "hunter2-password", "client-secret~value",
    ]
    let text = """
      POST /token code=\(secrets[2])&client_secret=\(secrets[4])&password=\(secrets[3])
      Authorization: Bearer \(secrets[0])
      {"error":"invalid_grant","refresh_token":"\(secrets[1])","error":"\(secrets[1])","error_codes":[50076]}
      """
    let pasted = PastedText(text)
    #expect(pasted.entries.map(\.name) == ["AADSTS50076", "invalid_grant"])
    let json = pasted.json.text()
    for secret in secrets { #expect(!json.contains(secret)) }
    #expect(!json.contains("hunter2"))
  }

  /// The time to read a log is proportional to its length.
  @Test func readsTheEndOfALongLog() {
    let line = "[2025-01-01 00:00:00] an unimportant line, and a lone word error here\n"
    let log = String(repeating: line, count: 30_000) + "AADSTS53003: blocked\n"
    let pasted = PastedText(log)
    #expect(pasted.entries.map(\.name) == ["AADSTS53003"])
    #expect(pasted.timestamps == ["2025-01-01 00:00:00"])
  }

  /// Terminal colors, titles, and links can be inside words.
  @Test(arguments: [
    "\u{1B}[1;31mAAD\u{1B}[0mSTS65\u{1B}[K001\u{1B}[m", "\u{1B}]0;my title\u{07}AADSTS65001",
    "\u{1B}]8;;https://example.com\u{1B}\\AADSTS\u{1B}]8;;\u{1B}\\65001", "\u{9B}31mAADSTS65001\u{9B}0m",
    "\u{1B}]never ends\nAADSTS65001", "\u{1B}(BAADSTS65001\u{1B}",
  ]) func ignoresTerminalSequences(text: String) {

    #expect(PastedText(text).entries.map(\.name) == ["AADSTS65001"])
    #expect(PastedText("é \(text) é").entries.map(\.name) == ["AADSTS65001"])
  }
}
