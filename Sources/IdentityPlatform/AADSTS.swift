/// An error code from Microsoft's sign-in service, with the cause and the remedy.
package struct AADSTS: Hashable, Sendable {
  /// The action that resolves an error.
  package enum Remedy: String, Sendable, CaseIterable {
    /// The user can resolve the error on the sign-in page.
    case interactive
    /// The user must do something outside the sign-in page, such as enrolling the device or installing an app.
    case beyondSignIn
    /// The app's request or registration must change, or an administrator must act.
    case developerOrAdmin
    /// The app must send a different request, or the user must enter a different value. Showing the page again does not
    /// help.
    case differentRequest
    /// The error is transient, so the app can retry later.
    case wait
    /// The device code protocol expects the client to poll again.
    case poll
    /// The client must restart the flow.
    case restart
  }

  /// The number after `AADSTS`.
  package var number: Int
  /// The OAuth `error`, or nil if the service only shows a page or the error is not documented.
  package var error: String?
  package var suberror: String?
  /// Whether `error` and `suberror` are inferred from similar codes instead of observed.
  package var isInferred: Bool
  /// Whether the service shows the error on its own page instead of redirecting to the app.
  package var staysOnPage: Bool
  package var remedy: Remedy
  /// The cause, as a lowercase clause without a final period.
  package var meaning: String
  /// Specific advice that replaces the advice for the remedy, or nil.
  var adviceOverride: String?
  /// A specific verdict that replaces the verdict for the remedy, or nil.
  var verdictOverride: Verdict?

  /// The full code, for example `AADSTS50076`.
  package var code: String { "AADSTS\(number)" }

  /// Returns the entry with this number, or nil if the table does not contain the number.
  package static func numbered(_ number: Int) -> AADSTS? { record(of: number).map(AADSTS.init) }

  /// Returns the record with this number, or nil if the table does not contain the number.
  package static func record(of number: Int) -> DataRecord? { recordsByNumber[number] }

  /// The records in `Data/aadsts.txt`. The emulator reads additional keys from these records.
  package static let records = DataRecord.read(EmbeddedData.text("aadsts.txt"))

  package static let all: [AADSTS] = records.map(AADSTS.init)

  private static let recordsByNumber = Dictionary(
    records.map { (number(of: $0), $0) }, uniquingKeysWith: { first, _ in first })

  private static func number(of record: DataRecord) -> Int { Int(record.text("code")) ?? 0 }

  private init(_ record: DataRecord) {
    number = Self.number(of: record)
    error = record["error"]
    suberror = record["suberror"]
    isInferred = record.list("marks").contains("inferred")
    staysOnPage = record.list("marks").contains("page")
    remedy = record.value("remedy") ?? .differentRequest
    meaning = record.text("meaning")
    adviceOverride = record["advice"]
    verdictOverride = record.value("verdict")
  }
}
