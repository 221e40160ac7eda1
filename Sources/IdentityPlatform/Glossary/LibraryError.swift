/// An exception or error class of MSAL for another platform, and what it is called by MSAL for Apple platforms.
package struct LibraryError: Hashable, Sendable {
  package var name: String
  package var platforms: String
  package var meaning: String
  /// The counterpart here.
  package var counterpart: MSALErrorCode?
  package var advice: String
  package var verdict: Verdict

  package static let all: [LibraryError] = [
    .init(
      name: "MsalUiRequiredException", platforms: "MSAL.NET, Android", meaning: "no token without the user",
      counterpart: .interactionRequired,
      advice: "Catch it around the silent call and go interactive, with the exception's Claims if there are some.",
      verdict: .signIn),
    .init(
      name: "MsalInteractionRequiredException", platforms: "MSAL for Java", meaning: "no token without the user",
      counterpart: .interactionRequired, advice: "Go interactive, with the exception's claims() if there are some.",
      verdict: .signIn),
    .init(
      name: "InteractionRequiredAuthError", platforms: "MSAL.js", meaning: "no token without the user",
      counterpart: .interactionRequired, advice: "Call acquireTokenPopup or acquireTokenRedirect with its claims.",
      verdict: .signIn),
    .init(
      name: "MsalServiceException", platforms: "MSAL.NET, Java, Android",
      meaning: "the service answered with an error, or not as it should", counterpart: .internal,
      advice: "Look at the OAuth error and the AADSTS code in it.", verdict: .readCode),
    .init(
      name: "ServerError", platforms: "MSAL.js", meaning: "the service answered with an error",
      counterpart: .internal, advice: "Look at the OAuth error and the AADSTS code in it.", verdict: .readCode),
    .init(
      name: "MsalClientException", platforms: "MSAL.NET, Java, Android",
      meaning: "the library refused before it asked the service, or could not reach it", counterpart: .internal,
      advice: "Look at the exception's error code: mostly the configuration is wrong, or there is no network.",
      verdict: .readCode),
    .init(
      name: "ClientAuthError", platforms: "MSAL.js", meaning: "the library refused the answer or the call",
      counterpart: .internal,
      advice: "Look at the error's code: state_mismatch, for instance, is an answer to another request.",
      verdict: .readCode),
    .init(
      name: "ClientConfigurationError", platforms: "MSAL.js", meaning: "the configuration is wrong",
      counterpart: .internal, advice: "Correct the configuration that it names.", verdict: .fixApp),
    .init(
      name: "BrowserAuthError", platforms: "MSAL.js",
      meaning: "the browser did not let the sign-in happen, or the user closed the window", counterpart: nil,
      advice: "user_cancelled is a \"no\"; interaction_in_progress means that two sign-ins were begun at once.",
      verdict: .readCode),
    .init(
      name: "MsalUserCancelException", platforms: "Android", meaning: "the user closed the sign-in page",
      counterpart: .userCanceled, advice: "Take it as a \"no\".", verdict: .expected),
    .init(
      name: "MsalDeclinedScopeException", platforms: "Android",
      meaning: "a token came, with fewer permissions than were asked for", counterpart: .serverDeclinedScopes,
      advice: "Ask silently for the granted scopes, with the parameters that the exception gives.", verdict: .expected),
    .init(
      name: "MsalIntuneAppProtectionPolicyRequiredException", platforms: "Android",
      meaning: "Intune must protect the app first", counterpart: .serverProtectionPoliciesRequired,
      advice: "Hand over to the Intune SDK.", verdict: .fixApp),
    .init(
      name: "MsalArgumentException", platforms: "Android", meaning: "an argument is missing or wrong",
      counterpart: .internal, advice: "Correct the argument that it names.", verdict: .fixApp),
    .init(
      name: "MsalThrottledServiceException", platforms: "MSAL.NET",
      meaning: "the library did not send the request, because the last one failed a moment ago", counterpart: nil,
      advice: "Wait; the exception holds the first one.", verdict: .retryLater),
    .init(
      name: "MsalClaimsChallengeException", platforms: "MSAL.NET",
      meaning: "a policy asks for further claims", counterpart: .interactionRequired,
      advice: "Go interactive with the exception's Claims.", verdict: .signIn),
  ]
}
