import Effects

/// A browser visit, or a wait for a user who has a device code.
package struct TracedInteraction: Sendable {
  /// The purpose: `signIn`, `signOut`, or `deviceCode`.
  package var purpose: String
  /// The index of the step in `TracedRun.steps`.
  package var step: Int?
  package var opened: Instant
  package var openedSeq: Int
  /// The first page's URL, with secrets masked.
  package var url: String?
  package var webview: String?
  package var userCode: String?
  /// The end time, or nil if the trace ends before the interaction.
  package var ended: Instant?
  package var endedSeq: Int?
  /// The result: `redirected`, `closed`, `finished`, `failed`, or `unavailable`.
  package var ending: String?
  /// The pages that were shown, in order.
  package var screens: [String] = []
  /// The code that an error page showed.
  package var pageError: String?
  package var reason: String?
}
