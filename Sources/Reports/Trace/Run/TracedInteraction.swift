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
  /// The types of the pages that the user saw, in order.
  package var screens: [String] = []
  /// The pages themselves. Only the simulated user's browser records them.
  package var pages: [TracedPage] = []
  /// The code that an error page showed.
  package var pageError: String?
  package var reason: String?
}

/// A page, in the state in which the simulated user left it.
package struct TracedPage: Sendable {
  package var seq: Int
  package var time: Instant
  /// The type of page, such as `username`, or nil if it is unknown.
  package var screen: String?
  package var title: String
  /// The URL without its query.
  package var url: String
  /// The body of the page without scripts, addresses, or field values. It is untrusted.
  package var markup: String
  /// The style sheet of an emulator page, or nil for pages of other providers.
  package var style: String?
  /// The fields that the user filled in. Secrets are placeholders.
  package var entered: [(label: String, value: String)]
  /// The label of the button or link that the user chose.
  package var pressed: String?
}
