/// Where a user signs in: a system browser with a real user, or one who is played.
package protocol Browser: Sendable {
  /// The redirect URI to send for a registered one, and to await in the visit that follows.
  ///
  /// They differ where a loopback address without a port is registered: the port is chosen when somebody listens there
  /// (RFC 8252 §7.3).
  func redirectURI(for registered: String) async -> String

  /// Opens the page and waits until it leads to the visit's redirect URI, or until the user gives up.
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
  /// Where the flow ends: a navigation to this URI (scheme, host and path equal) is handed back and never opened.
  /// Nil where nothing is awaited, as on the device code page.
  package var redirectURI: String?
  package var purpose: Purpose
  /// Whether cookies of earlier visits are left out (MSAL's `prefersEphemeralWebBrowserSession`).
  package var ephemeral: Bool
  /// Whether a web view of the app's own shows it (WKWebView), which hands over the addresses that are meant for the
  /// device too: `msauth://wpj`, `browser://…`.
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
    /// The redirect URI was reached; the URL as navigated to, with query and fragment. Parameters of a `form_post`
    /// are appended to the query.
    case redirected(url: String)
    /// The user closed the window, or had no way on.
    case closed(reason: String)
    /// There is no browser here.
    case unavailable(reason: String)
    /// Pages could not be fetched.
    case failed(TransportFailure)
    /// The visit's purpose was fulfilled on a page that leads nowhere (signed out, device code accepted).
    case finished
  }

  package var ending: Result
  /// The kinds of pages that the user saw, in order: `pickAccount`, `username`, `password`, `mfa`, `consent`, ….
  package var screens: [String]
  /// The code that the last page showed, such as `AADSTS50011`, where it was an error page.
  package var pageError: String?

  package init(_ ending: Result, screens: [String] = [], pageError: String? = nil) {
    self.ending = ending
    self.screens = screens
    self.pageError = pageError
  }
}
