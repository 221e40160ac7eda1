extension MSALInternalErrorCode {
  /// What sort of thing went wrong: codes that only a broker gives differ in what can be done about them.
  private enum Group {
    case own
    case broker
    case deviceCompliance
    case platformSignOn
  }

  private var group: Group {
    switch rawValue {
    case -42_713 ... -42_700: .broker
    case -42_735 ... -42_715, -42_738: .deviceCompliance
    case -42_744 ... -42_736: .platformSignOn
    default: .own
    }
  }

  /// How it comes about.
  package var cause: String {
    switch self {
    case .invalidParameter:
      "The app passed something that MSAL refuses before it sends anything: a blank client id, openid, profile or offline_access among the scopes (MSAL adds them itself), the client id as a scope, claims twice, an authority of another kind than the application's, a sign-out without an account, a parent window that is on no screen."
    case .redirectSchemeNotRegistered:
      "The scheme of the redirect URI is not in CFBundleURLTypes, or LSApplicationQueriesSchemes lacks msauthv2 or msauthv3; checked on iOS when the application object is made."
    case .invalidRequest:
      "The service said invalid_request: a parameter is missing, stands twice or contradicts another."
    case .invalidClient:
      "The service said invalid_client: the redirect URI is registered for another platform than \"Mobile and desktop\", so a secret is expected, or public client flows are not allowed for the app."
    case .invalidGrant:
      "The service said invalid_grant to an authorization code: used before, expired, or the verifier does not fit. A refused refresh token becomes interactionRequired instead."
    case .invalidScope:
      "The service said invalid_scope: a misspelled permission, a resource that does not exist, or .default together with single permissions."
    case .unauthorizedClient:
      "The service said unauthorized_client: no such app in this tenant, or the app is disabled or not meant for this kind of account."
    case .unhandledResponse:
      "An HTTP status that is no answer of the protocol: 403, 404, 429, or 5xx again after one more try. MSALHTTPResponseCodeKey holds it. The description is the status in words, never the body's error_description."
    case .unexpected:
      "An ADFS authority, an answer without client_info, an answer without both access and ID token, a cache that cannot be read, or a fault of MSAL."
    case .unexpectedHttpResponse: "It stands beneath -42007, as the underlying error, if the status is 403 or 404."
    case .failedAuthorityValidation:
      "Instance discovery said invalid_instance: the authority's host belongs to no cloud of Microsoft, and is not in knownAuthorities."
    case .invalidRedirectURI:
      "With a Microsoft Entra authority the redirect URI must be one that a broker can answer to: msauth.<bundle id>://auth. Customers' authorities (B2C, CIAM, consumers) take any."
    case .mismatchedUser:
      "A broker answered for another account than the request named. MSAL's own web sign-in does not check this."
    case .ambiguousAccount:
      "The app asked for the current account, and several are signed in."
    case .authorizationFailed:
      "The service answered with an OAuth error for which MSAL has no code, such as temporarily_unavailable, invalid_resource, login_required or consent_required."
    case .accountRequired: "A request that works on an account was made without one."
    case .sessionCanceled:
      "Reserved for a sign-in that the app cancelled; today's MSAL gives -50005 for that."
    case .interactiveSessionAlreadyRunning:
      "The app called acquireToken while the sign-in page of an earlier call was still open, often because a button was pressed twice."
    case .noViewController:
      "The parent view controller is missing or in no window; here: nobody can show a page (`--browser none`)."
    case .attemptToOpenURLFromExtension: "Extensions may not switch to another app, and so not to the broker."
    case .uiNotSupportedInExtension: "Extensions of this kind have no screen of their own."
    case .invalidState:
      "The state of the redirect is missing or not the one that was sent: an old page was used again, two sign-ins crossed, or somebody injected an answer."
    case .invalidResponse:
      "The redirect has neither code nor error, a body is no JSON, the token type is another one than asked for, or, here, the ID token does not pass its checks."
    case .nonHttpsRedirect: "The embedded web view was led to an http address."
    case .brokerNotAvailable:
      "No broker or single sign-on extension is there, or the request may not use one: an authority without broker, or authority validation turned off."
    case .invalidASWebAuthenticationURL: "The system's web session takes http and https addresses only."
    default:
      switch group {
      case .broker:
        "The way to the broker app (Microsoft Authenticator, Company Portal) and back was broken off or tampered with: the broker was closed, the app was restarted meanwhile, the answer's encryption or hash does not fit, or the keychain cannot be used."
      case .deviceCompliance:
        "During the sign-in the broker tried to register the device or to check that it follows the organization's rules (just-in-time registration), and that did not end well."
      case .platformSignOn, .own:
        "The device's registration for platform single sign-on, or the key that belongs to it, is missing or does not fit."
      }
    }
  }

  package var verdict: Verdict {
    switch self {
    case .invalidParameter, .redirectSchemeNotRegistered, .invalidRequest, .invalidScope, .failedAuthorityValidation,
      .invalidRedirectURI, .accountRequired, .interactiveSessionAlreadyRunning, .noViewController,
      .attemptToOpenURLFromExtension, .uiNotSupportedInExtension, .invalidASWebAuthenticationURL:
      .fixApp
    case .invalidClient, .unauthorizedClient: .fixAppOrAskAdmin
    case .unhandledResponse, .unexpectedHttpResponse: .retryLater
    case .unexpected, .authorizationFailed: .readCode
    case .mismatchedUser, .ambiguousAccount: .askUser
    case .sessionCanceled: .expected
    case .invalidGrant, .invalidState: .startAgain
    case .invalidResponse, .nonHttpsRedirect: .fixProvider
    case .brokerNotAvailable: .signIn
    default:
      switch group {
      case .broker: .startAgain
      case .deviceCompliance, .platformSignOn, .own: .askUser
      }
    }
  }

  /// What an app should do.
  package var advice: String {
    switch self {
    case .invalidParameter:
      "A programming error: read MSALErrorDescriptionKey, it names the parameter, and correct the call. `authflow validate` finds it in settings and workflows."
    case .redirectSchemeNotRegistered:
      "Add the scheme (msauth.<bundle id>) to CFBundleURLTypes, and msauthv2 and msauthv3 to LSApplicationQueriesSchemes, in Info.plist."
    case .invalidRequest: "A programming error or a wrong registration: the service's words name the parameter."
    case .invalidClient:
      "In the app registration put the redirect URI under \"Mobile and desktop applications\" and allow public client flows. Never put a secret into the app."
    case .invalidGrant: "Start the sign-in again; if it repeats, look whether the code is redeemed twice."
    case .invalidScope:
      "Correct the scopes; `authflow validate` knows Graph's permissions. Do not mix .default with others."
    case .unauthorizedClient:
      "Check the client id, the authority's tenant and the registration's \"supported account types\"."
    case .unhandledResponse, .unexpectedHttpResponse:
      "Wait as long as Retry-After says (in MSALHTTPHeadersKey), then try again. With 5xx and extendedLifetimeEnabled, the request that received the 5xx returns the expired token, until ext_expires_in."
    case .unexpected:
      "Read MSALErrorDescriptionKey. ADFS authorities are not supported; everything else is worth a report with the correlation id."
    case .failedAuthorityValidation:
      "Correct the authority's spelling; list hosts of your own, and every B2C authority, in knownAuthorities."
    case .invalidRedirectURI:
      "Use msauth.<bundle id>://auth and register exactly that; or set bypassRedirectURIValidation, and do without the broker."
    case .mismatchedUser: "Ask the user which of the two accounts is meant."
    case .ambiguousAccount:
      "Let the user choose, and take the account by its identifier; list them with allAccounts or accountsFromDevice."
    case .authorizationFailed:
      "Look up the OAuth error (MSALOAuthErrorKey) and the AADSTS code in MSALErrorDescriptionKey: they say what to do."
    case .accountRequired: "Load an account first and pass it along."
    case .sessionCanceled: "Nothing: the app wanted it."
    case .interactiveSessionAlreadyRunning:
      "Disable the button until the completion block has run, or call cancelCurrentWebAuthSession first."
    case .noViewController: "Call from a view controller that is on screen, and pass it in MSALWebviewParameters."
    case .attemptToOpenURLFromExtension, .uiNotSupportedInExtension:
      "Acquire tokens silently in extensions; send the user to the app to sign in."
    case .invalidState: "Start the sign-in again; never use the old answer."
    case .invalidResponse: "Nothing of it may be used. If the provider is yours, mend its answer; otherwise report it."
    case .nonHttpsRedirect: "Mend the identity provider's page that leads to http."
    case .brokerNotAvailable: "Sign in with the browser instead; do not depend on a broker."
    case .invalidASWebAuthenticationURL: "Correct the authority's URL."
    default:
      switch group {
      case .broker:
        "Start the sign-in again. If it repeats, update the broker app, and check that app and broker share the keychain group com.microsoft.adalcache."
      case .deviceCompliance:
        "Send the user to Company Portal to register the device or to see which rule it breaks, then sign in again."
      case .platformSignOn, .own:
        "Send the user to the system's settings to register for platform single sign-on again, then sign in again."
      }
    }
  }
}
