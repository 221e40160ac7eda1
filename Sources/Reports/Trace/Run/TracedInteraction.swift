import Effects

/// A visit of the browser, or a wait for a user with a device code.
package struct TracedInteraction: Sendable {
  /// The purpose: `signIn`, `signOut`, `deviceCode`.
  package var purpose: String
  /// The index of the step in `TracedRun.steps`.
  package var step: Int?
  package var opened: Instant
  package var openedSeq: Int
  /// The masked URL of the first page.
  package var url: String?
  package var webview: String?
  package var userCode: String?
  /// The end, or nil if the trace ends before it.
  package var ended: Instant?
  package var endedSeq: Int?
  /// The result: `redirected`, `closed`, `finished`, `failed`, `unavailable`.
  package var ending: String?
  /// The pages in order.
  package var screens: [String] = []
  /// The code of an error page.
  package var pageError: String?
  package var reason: String?
}
