extension MSALErrorCode {
  /// How it comes about.
  package var cause: String {
    switch self {
    case .internal:
      "MSAL has a code of its own for the few errors that an app can act on; everything else arrives as this one, and the precise code stands under MSALInternalErrorCodeKey."
    case .workplaceJoinRequired:
      "A policy wants a registered device, and the sign-in page came back with the redirect for registering it (msauth://wpj)."
    case .interactionRequired:
      "A silent call had no account, the account is signed out, there is no refresh token that may be used, or the service refused it: every OAuth error at the token endpoint counts, except invalid_scope, invalid_client and the protection policy. An interactive call gives it where the service itself says interaction_required."
    case .serverDeclinedScopes:
      "The answer's scope lacks something that was asked for: the user left it out, an administrator does not allow it, or it does not exist for this kind of account."
    case .serverProtectionPoliciesRequired:
      "The service said unauthorized_client with the suberror protection_policy_required (AADSTS53005): a conditional access policy wants Intune app protection."
    case .userCanceled:
      "The user closed the page or declined (access_denied), or the app called cancelCurrentWebAuthSession. Azure AD B2C's \"forgot password\" and \"cancel\" arrive in the same way, with AADB2C90118 or AADB2C90091 in MSALErrorDescriptionKey."
    case .serverError: "The service said server_error in the redirect."
    case .insufficientDeviceStrength:
      "The redirect says that the device's registration must be renewed (msauth://upgradeReg, or the suberror insufficient_device_strength)."
    case .mdmEnrollmentCompletedNeedsRetry: "The user enrolled the device during the sign-in; only a broker reports it."
    case .serverInvalidRequestResetPasswordRequired:
      "The service said invalid_request with the code 50142: a policy about risk wants a new password."
    }
  }

  /// What MSAL does beside returning it.
  package var reaction: String {
    let sight =
      surfacesAsItself
      ? "the app sees the code \(rawValue)"
      : "the app never sees this code itself: it arrives as -50000 with \(rawValue) under MSALInternalErrorCodeKey"
    switch self {
    case .interactionRequired:
      return
        "\(sight), with the service's error, suberror and numbers (MSALOAuthErrorKey, MSALOAuthSubErrorKey, MSALSTSErrorCodesKey) and the refused answer under NSUnderlyingErrorKey. The refresh token is kept, unless the suberror was bad_token. For 120 seconds the same silent call gets the same answer from memory (MSALThrottlingCacheHitKey), until somebody signs in."
    case .serverDeclinedScopes:
      return
        "\(sight). The tokens are in the cache all the same; MSALGrantedScopesKey and MSALDeclinedScopesKey say what came and what did not, MSALInvalidResultKey holds the result."
    case .serverProtectionPoliciesRequired:
      return "\(sight), with MSALDisplayableUserIdKey and MSALHomeAccountIdKey for the Intune SDK."
    case .workplaceJoinRequired:
      return "\(sight), with MSALDisplayableUserIdKey for the registration."
    case .userCanceled:
      return
        "\(sight). MSALErrorDescriptionKey is there only where a page ended the sign-in, and not where the window was closed."
    default: return "\(sight)."
    }
  }

  /// What an app should do.
  package var advice: String {
    switch self {
    case .internal:
      "Read MSALInternalErrorCodeKey and look that number up; log MSALErrorDescriptionKey and MSALCorrelationIDKey. Tell the user that signing in failed; do not try again in a loop."
    case .workplaceJoinRequired:
      "Let the user register the device (with a broker such as Microsoft Authenticator or Company Portal), then sign in again."
    case .interactionRequired:
      "Call acquireToken with the same scopes and account, and with the claims of the answer if it has some. Where nobody is at the screen, say that somebody must sign in. If the sign-in page ends with this error too, show its words and stop."
    case .serverDeclinedScopes:
      "If what was granted is enough, ask silently again for just that: it is in the cache. Otherwise say what does not work without the permission, and ask for it when the user wants that part."
    case .serverProtectionPoliciesRequired:
      "Hand the account to the Intune App SDK to be enrolled and protected, then ask silently again."
    case .userCanceled:
      "Take it as a \"no\": go back to where the user was and keep the sign-in button. It is nothing to report as a failure. With B2C look for AADB2C90118 and start the password reset."
    case .serverError:
      "Try again later, with growing pauses. If it stays, report MSALCorrelationIDKey and the time to Microsoft."
    case .insufficientDeviceStrength:
      "Let the user renew the device's registration in the broker app, then sign in again."
    case .mdmEnrollmentCompletedNeedsRetry: "Send the same request once more."
    case .serverInvalidRequestResetPasswordRequired:
      "Send the user to the organization's password reset, then sign in again."
    }
  }
}
