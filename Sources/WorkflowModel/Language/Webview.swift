import Documents

/// What shows a page, by MSALWebviewType's names.
package enum WebviewType: String, Sendable, CaseIterable {
  /// MSAL makes it the system's authentication session.
  case standard = "default"
  case authenticationSession, safariViewController, wkWebView
  /// A session that shares no cookies with the browser: `prefersEphemeralWebBrowserSession`.
  case ephemeral
  /// No web view parameters at all: MSAL refuses to show a page (-42000).
  case none
}

extension Field {
  /// MSALWebviewParameters, as far as the type goes.
  static func webview(into path: any WritableKeyPath<Owner, Resolvable<WebviewType>?> & Sendable) -> Field {
    Field(
      "webview", Codec<WebviewType>.enumeration().resolvable, into: path,
      "how the page is shown, by MSALWebviewType's names; the settings' WebviewType by default; none: nowhere")
  }

  static func prefersEphemeralSession(into path: any WritableKeyPath<Owner, Resolvable<Bool>?> & Sendable) -> Field {
    Field(
      "prefersEphemeralWebBrowserSession", Codec<Bool>.bool.resolvable, into: path, default: false,
      "whether the page's session shares no cookies with the browser")
  }
}
