import Effects

/// A visit to the browser, or the wait for a user with a device code.
package struct TracedInteraction: Sendable {
  /// What for: `signIn`, `signOut`, `deviceCode`.
  package var purpose: String
  /// The step that it belongs to, as a position in `TracedRun.steps`.
  package var step: Int?
  package var opened: Instant
  package var openedSeq: Int
  /// The first page, masked.
  package var url: String?
  package var webview: String?
  package var userCode: String?
  /// Nil where the trace ends while the page is open.
  package var ended: Instant?
  package var endedSeq: Int?
  /// How it ended: `redirected`, `closed`, `finished`, `failed`, `unavailable`.
  package var ending: String?
  /// What the user saw, in order.
  package var screens: [String] = []
  /// The code of a page that said what is wrong and led nowhere.
  package var pageError: String?
  package var reason: String?
}
