/// An error code of Microsoft's sign-in service, with its cause and remedy.
package struct AADSTS: Hashable, Sendable {
  /// The action that resolves an error.
  package enum Remedy: String, Sendable, CaseIterable {
    /// The user can resolve it on the sign-in page.
    case interactive
    /// The user must act outside the sign-in page, for example enroll the device or install an app.
    case beyondSignIn
    /// The app's request or registration must change, or an administrator must act.
    case developerOrAdmin
    /// The request is wrong, or the user typed a wrong value. Showing the page again does not help.
    case differentRequest
    /// The error is transient.
    case wait
    /// The device code protocol expects the client to poll again.
    case poll
    /// The client must restart the flow.
    case restart
  }

  /// The number after `AADSTS`.
  package var number: Int
  /// The OAuth `error`; nil if the service only shows a page or the error is not documented.
  package var error: String?
  package var suberror: String?
  /// Whether `error` and `suberror` are inferred from similar codes instead of observed.
  package var isInferred: Bool
  /// Whether the service shows the error on its own page instead of redirecting to the app.
  package var staysOnPage: Bool
  package var remedy: Remedy
  /// The cause as a lowercase clause without a final period.
  package var meaning: String
  /// Advice that replaces the remedy's.
  var adviceOverride: String?
  /// The verdict that replaces the remedy's.
  var verdictOverride: Verdict?

  /// The full code, for example `AADSTS50076`.
  package var code: String { "AADSTS\(number)" }

  /// Whether an app should show the sign-in page.
  package var needsInteraction: Bool { remedy == .interactive || remedy == .beyondSignIn }

  /// Returns the entry with this number, or nil if it is not in the table.
  package static func numbered(_ number: Int) -> AADSTS? { byNumber[number] }

  /// Returns the entry for a code such as `AADSTS50076` or `50076`, or nil if it is not in the table.
  package static func coded(_ code: some StringProtocol) -> AADSTS? {
    let digits = code.uppercased().hasPrefix("AADSTS") ? code.dropFirst(6) : code.dropFirst(0)
    return Int(digits).flatMap(numbered)
  }

  /// The records of `Data/aadsts.txt`. The emulator reads additional keys from them.
  package static let records = DataRecord.read(EmbeddedData.text("aadsts.txt"))

  package static let all: [AADSTS] = records.map { record in
    AADSTS(
      number: Int(record.text("code")) ?? 0, error: record["error"], suberror: record["suberror"],
      isInferred: record.list("marks").contains("inferred"), staysOnPage: record.list("marks").contains("page"),
      remedy: record.value("remedy") ?? .differentRequest, meaning: record.text("meaning"),
      adviceOverride: record["advice"], verdictOverride: record.value("verdict"))
  }

  private static let byNumber = Dictionary(all.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
}
