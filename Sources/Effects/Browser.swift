/// The browser that shows sign-in pages: a system browser with a real user, or a simulated browser.
package protocol Browser: Sendable {
  /// Returns the redirect URI to send to the service instead of the registered URI. The next visit waits for this URI.
  ///
  /// The URIs differ if the registered URI is a loopback address without a port: the browser chooses the port when it
  /// starts to listen (RFC 8252 §7.3).
  func redirectURI(for registered: String) async -> String

  /// Opens the page and returns when it navigates to the visit's redirect URI, or when the user cancels.
  func visit(_ visit: BrowserVisit) async -> BrowserOutcome
}

extension Browser {
  package func redirectURI(for registered: String) async -> String { registered }
}

package struct BrowserVisit: Hashable, Sendable {
  package enum Purpose: String, Sendable {
    case signIn, signOut, deviceCode
  }

  package var url: String
  /// The URI that ends the visit. If the browser navigates to a URL with the same scheme, host, and path, the URL is
  /// returned and never opened. Nil if the visit does not end with a redirect, as on the device code page.
  package var redirectURI: String?
  package var purpose: Purpose
  /// Whether the visit ignores cookies from earlier visits (MSAL's `prefersEphemeralWebBrowserSession`).
  package var ephemeral: Bool
  /// Whether the app shows the page in a web view (WKWebView). A web view also returns URLs that are meant for the
  /// device, such as `msauth://wpj` and `browser://…`.
  package var isEmbedded: Bool

  package init(
    url: String, redirectURI: String?, purpose: Purpose, ephemeral: Bool = false, isEmbedded: Bool = false
  ) {
    self.url = url
    self.redirectURI = redirectURI
    self.purpose = purpose
    self.ephemeral = ephemeral
    self.isEmbedded = isEmbedded
  }
}

package struct BrowserOutcome: Hashable, Sendable {
  package enum Result: Hashable, Sendable {
    /// The browser reached the redirect URI. The value is the complete URL, with query and fragment. Parameters of a
    /// `form_post` are appended to the query.
    case redirected(url: String)
    /// The user closed the window, or the page offered no way to continue.
    case closed(reason: String)
    /// No browser is available.
    case unavailable(reason: String)
    /// A page could not be loaded.
    case failed(TransportFailure)
    /// The visit ended on a page that does not redirect, such as after a sign-out or after the user entered a device
    /// code.
    case finished
  }

  package var result: Result
  /// The kinds of pages that the user saw, in order: `pickAccount`, `username`, `password`, `mfa`, `consent`, ….
  package var screens: [String]
  /// The error code on the last page, such as `AADSTS50011`, or nil if it was not an error page.
  package var pageError: String?

  package init(_ ending: Result, screens: [String] = [], pageError: String? = nil) {
    self.result = ending
    self.screens = screens
    self.pageError = pageError
  }
}
