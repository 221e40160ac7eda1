/// An error of Microsoft's sign-in service: the number after `AADSTS`, and what follows from it.
package struct AADSTS: Hashable, Sendable {
  /// What gets a user or an app out of it.
  package enum Remedy: String, Sendable, CaseIterable {
    /// The user can mend it on the sign-in page.
    case interactive
    /// The page alone is not enough: the device must be enrolled, or an app installed.
    case beyondSignIn
    /// The app's request or registration must change, or an administrator must act.
    case developerOrAdmin
    /// The request itself is wrong, or the user typed something wrong; showing the page again changes nothing.
    case differentRequest
    /// It passes.
    case wait
    /// Asking again is the protocol (device code).
    case poll
    /// The whole flow must begin again.
    case restart
  }

  package var number: Int
  /// The OAuth `error`; nil where the service only ever shows a page, or nothing is recorded.
  package var error: String?
  package var suberror: String?
  /// Whether `error` and `suberror` are inferred from similar codes, not seen.
  package var isInferred: Bool
  /// Whether the service shows it on a page of its own instead of redirecting.
  package var staysOnPage: Bool
  package var wayOut: Remedy
  /// What has happened, in a few words.
  package var meaning: String
  /// What to do, where the way out does not say it all.
  var ownAdvice: String?
  /// The verdict, where it is not the way out's.
  var ownVerdict: Verdict?

  /// As it is written: `AADSTS50076`.
  package var code: String { "AADSTS\(number)" }

  /// Whether an app should show the sign-in page.
  package var needsInteraction: Bool { wayOut == .interactive || wayOut == .beyondSignIn }

  /// The entry of a number.
  package static func numbered(_ number: Int) -> AADSTS? { byNumber[number] }

  /// The entry of a code as it is written, `AADSTS50076` or just `50076`.
  package static func coded(_ code: some StringProtocol) -> AADSTS? {
    let digits = code.uppercased().hasPrefix("AADSTS") ? code.dropFirst(6) : code.dropFirst(0)
    return Int(digits).flatMap(numbered)
  }

  /// The records of `Data/aadsts.txt`. The emulator reads its own keys of them.
  package static let records = DataRecord.read(EmbeddedData.text("aadsts.txt"))

  package static let all: [AADSTS] = records.map { record in
    AADSTS(
      number: Int(record.text("code")) ?? 0, error: record["error"], suberror: record["suberror"],
      isInferred: record.words("marks").contains("inferred"), staysOnPage: record.words("marks").contains("page"),
      wayOut: record.value("remedy") ?? .differentRequest, meaning: record.text("meaning"),
      ownAdvice: record["advice"], ownVerdict: record.value("verdict"))
  }

  private static let byNumber = Dictionary(all.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
}
