import IdentityPlatform
import OAuth

/// The parameters of all token requests (`MSALTokenParameters`).
package struct TokenParameters: Sendable {
  package var scopes: [String]
  package var account: Account?
  /// The authority to use, or nil for the client's authority.
  package var authority: Authority?
  package var claimsRequest: ClaimsRequest?
  package var extraQueryParameters = Parameters()
  /// The correlation ID, or nil to create a new UUID.
  package var correlationID: String?
  /// Whether to call the userinfo endpoint and compare its response with the ID token. MSAL does not call this
  /// endpoint.
  package var checksUserInfo = false

  package init(scopes: [String], account: Account? = nil) {
    self.scopes = scopes
    self.account = account
  }
}

/// The parameters of a silent request (`MSALSilentTokenParameters`).
package struct SilentParameters: Sendable {
  package var token: TokenParameters
  /// Whether to bypass cached access tokens and redeem the refresh token.
  package var forceRefresh = false
  /// MSAL's fallback setting for SSO extensions. It has no effect, because authflow does not support SSO extensions.
  package var allowUsingLocalCachedRtWhenSsoExtFailed = true

  package init(_ token: TokenParameters) {
    self.token = token
  }
}

/// The parameters of an interactive request (`MSALInteractiveTokenParameters`).
package struct InteractiveParameters: Sendable {
  package var token: TokenParameters
  package var promptType = PromptType.promptIfNecessary
  package var loginHint: String?
  package var domainHint: String?
  /// Additional scopes for the consent page. They are not sent to the token endpoint.
  package var extraScopesToConsent: [String] = []
  package var webview = WebviewParameters()
  package var preferredAuthMethod = PreferredAuthMethod.none
  /// The maximum time since the user authenticated (`max_age`). MSAL does not support this parameter.
  package var maxAge: Duration?

  package init(_ token: TokenParameters) {
    self.token = token
  }
}

/// The type of prompt (`MSALPromptType`).
package enum PromptType: Int, Hashable, Sendable, CaseIterable {
  case selectAccount = 0
  case login
  case consent
  case create
  case promptIfNecessary
  /// `prompt=none`: the service must not show a page. MSAL for Apple platforms does not define this type, but MSAL libraries
  /// for other platforms do.
  case never

  /// The value of the `prompt` parameter, or nil to omit the parameter.
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

/// The preferred authentication method (`preferredAuthMethod`).
package enum PreferredAuthMethod: Hashable, Sendable {
  case none
  /// QR code and PIN, `pc=18`.
  case qrPIN
}

/// The parameters of the web view (`MSALWebviewParameters`) that affect requests.
package struct WebviewParameters: Hashable, Sendable {
  package enum WebviewType: String, Hashable, Sendable, CaseIterable {
    case `default`, authenticationSession, safariViewController, wkWebView
  }

  package var type = WebviewType.default
  package var prefersEphemeralWebBrowserSession = false
  /// Whether the app passes a view controller that is in a window. Without one, MSAL cannot show a page.
  package var hasParentViewController = true

  package init(type: WebviewType = .default, prefersEphemeralWebBrowserSession: Bool = false) {
    self.type = type
    self.prefersEphemeralWebBrowserSession = prefersEphemeralWebBrowserSession
  }
}

/// The parameters of a device code request. authflow follows MSAL Python, because MSAL for Apple platforms does not
/// support this grant.
package struct DeviceCodeParameters: Sendable {
  package var token: TokenParameters
  /// A closure that shows the code and the verification page to the user.
  package var prompt: @Sendable (DeviceCodePrompt) async -> Void

  package init(_ token: TokenParameters, prompt: @escaping @Sendable (DeviceCodePrompt) async -> Void) {
    self.token = token
    self.prompt = prompt
  }
}

/// The instructions for the user in a device code flow (RFC 8628 §3.3).
package struct DeviceCodePrompt: Hashable, Sendable {
  package var userCode: String
  package var verificationURI: String
  package var verificationURIComplete: String?
  /// The instruction from the service.
  package var message: String
  package var expiresIn: Duration
}

/// The parameters of a sign-out (`MSALSignoutParameters`).
package struct SignOutParameters: Sendable {
  /// The account to sign out. Required.
  package var account: Account?
  /// The web view for the sign-out page.
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
