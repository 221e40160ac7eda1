import Effects

/// A browser visit, or a wait for a user with a device code.
package struct TracedInteraction: Sendable {
  /// The purpose: `signIn`, `signOut`, or `deviceCode`.
  package var purpose: String
  /// The index of the step in `TracedRun.steps`.
  package var step: Int?
  package var opened: Instant
  package var openedSeq: Int
  /// The URL of the first page, with masked secrets.
  package var url: String?
  package var webview: String?
  package var userCode: String?
  /// The end time, or nil if the trace ends before the interaction does.
  package var ended: Instant?
  package var endedSeq: Int?
  /// The result: `redirected`, `closed`, `finished`, `failed`, or `unavailable`.
  package var ending: String?
  /// The pages that the user saw, in order.
  package var screens: [String] = []
  /// The code that an error page showed.
  package var pageError: String?
  package var reason: String?
}
