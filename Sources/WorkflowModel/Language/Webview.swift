/// The type of web view that presents a page. The cases have the names of `MSALWebviewType`'s cases.
package enum WebviewType: String, Sendable, CaseIterable {
  /// The system's authentication session, MSAL's default.
  case standard = "default"
  case authenticationSession, safariViewController, wkWebView
  /// A session that does not share cookies with the browser: `prefersEphemeralWebBrowserSession`.
  case ephemeral
  /// No web view parameters. MSAL cannot present a page and fails with -42000.
  case none
}
