import Documents

/// The view that presents a page, by the names of MSALWebviewType.
package enum WebviewType: String, Sendable, CaseIterable {
  /// MSAL uses the system's authentication session.
  case standard = "default"
  case authenticationSession, safariViewController, wkWebView
  /// A session that does not share cookies with the browser: `prefersEphemeralWebBrowserSession`.
  case ephemeral
  /// No web view parameters. MSAL then cannot present a page (-42000).
  case none
}

extension Field {
  /// The type in MSALWebviewParameters.
  static func webview(into put: @escaping @Sendable (inout Owner, Resolvable<WebviewType>) -> Void) -> Field {
    Field(
      "webview", Codec<WebviewType>.enumeration().resolvable, into: put,
      "view that presents the page, by the names of MSALWebviewType, or `none`; `WebviewType` of the settings by default"
    )
  }

  static func prefersEphemeralSession(into put: @escaping @Sendable (inout Owner, Resolvable<Bool>) -> Void) -> Field {
    Field(
      "prefersEphemeralWebBrowserSession", Codec<Bool>.bool.resolvable, into: put, default: false,
      "whether the session of the page does not share cookies with the browser")
  }
}
