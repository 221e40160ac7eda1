import IdentityPlatform
import OAuth

/// What every token request takes: MSALTokenParameters.
package struct TokenParameters: Sendable {
  package var scopes: [String]
  package var account: Account?
  /// Nil for the application's own.
  package var authority: Authority?
  package var claimsRequest: ClaimsRequest?
  package var extraQueryParameters = Parameters()
  /// Nil for a fresh UUID.
  package var correlationID: String?
  /// Whether the userinfo endpoint is asked with the token, and its answer compared with the ID token. MSAL does not.
  package var checksUserInfo = false

  package init(scopes: [String], account: Account? = nil) {
    self.scopes = scopes
    self.account = account
  }
}

/// MSALSilentTokenParameters.
package struct SilentParameters: Sendable {
  package var token: TokenParameters
  /// Leaves cached access tokens alone and redeems the refresh token.
  package var forceRefresh = false
  /// Of no effect where there is no SSO extension.
  package var allowUsingLocalCachedRtWhenSsoExtFailed = true

  package init(_ token: TokenParameters) {
    self.token = token
  }
}

/// MSALInteractiveTokenParameters.
package struct InteractiveParameters: Sendable {
  package var token: TokenParameters
  package var promptType = PromptType.promptIfNecessary
  package var loginHint: String?
  package var domainHint: String?
  /// Consented to along the way; never sent to the token endpoint.
  package var extraScopesToConsent: [String] = []
  package var webview = WebviewParameters()
  package var preferredAuthMethod = PreferredAuthMethod.none
  /// The longest time since the user signed in, OpenID Connect's `max_age`. MSAL has no such parameter.
  package var maxAge: Duration?

  package init(_ token: TokenParameters) {
    self.token = token
  }
}

/// What the user is asked again although they are signed in: MSALPromptType.
package enum PromptType: Int, Hashable, Sendable, CaseIterable {
  case selectAccount = 0
  case login
  case consent
  case create
  case promptIfNecessary
  /// No page may be shown: `prompt=none`. Not among MSAL for Apple's types; the libraries for other platforms have it.
  case never

  /// The value of `prompt`; nil leaves the parameter out.
  package var parameter: String? {
    switch self {
    case .selectAccount: "select_account"
    case .login: "login"
    case .consent: "consent"
    case .create: "create"
    case .promptIfNecessary: nil
    case .never: "none"
    }
  }
}

/// How the user is asked to prove who they are.
package enum PreferredAuthMethod: Hashable, Sendable {
  case none
  /// QR code and PIN, `pc=18`.
  case qrPIN
}

/// MSALWebviewParameters, as far as they can be seen from outside.
package struct WebviewParameters: Hashable, Sendable {
  package enum WebviewType: String, Hashable, Sendable, CaseIterable {
    case `default`, authenticationSession, safariViewController, wkWebView
  }

  package var type = WebviewType.default
  package var prefersEphemeralWebBrowserSession = false
  /// False where the app has no view controller in a window: nothing can be shown.
  package var hasParentViewController = true

  package init(type: WebviewType = .default, prefersEphemeralWebBrowserSession: Bool = false) {
    self.type = type
    self.prefersEphemeralWebBrowserSession = prefersEphemeralWebBrowserSession
  }
}

/// For a device that has no browser of its own. MSAL for Apple has no such request; it follows MSAL Python's.
package struct DeviceCodeParameters: Sendable {
  package var token: TokenParameters
  /// Shows the user where to go and what to enter.
  package var prompt: @Sendable (DeviceCodePrompt) async -> Void

  package init(_ token: TokenParameters, prompt: @escaping @Sendable (DeviceCodePrompt) async -> Void) {
    self.token = token
    self.prompt = prompt
  }
}

/// What the user is told.
package struct DeviceCodePrompt: Hashable, Sendable {
  package var userCode: String
  package var verificationURI: String
  package var verificationURIComplete: String?
  /// The service's own sentence.
  package var message: String
  package var expiresIn: Duration
}

/// MSALSignoutParameters.
package struct SignOutParameters: Sendable {
  /// Nil is refused.
  package var account: Account?
  /// Needed to show the service's page.
  package var webview: WebviewParameters? = WebviewParameters()
  package var signoutFromBrowser = false
  package var wipeAccount = false
  package var wipeCacheForAllAccounts = false
  package var extraQueryParameters = Parameters()
  package var authority: Authority?
  package var correlationID: String?

  package init(account: Account?) {
    self.account = account
  }
}
