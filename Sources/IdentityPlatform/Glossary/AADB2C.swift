/// An Azure AD B2C error code, as listed in Microsoft's error reference.
///
/// The service includes the code in `error_description`. The OAuth error is often `access_denied`, `server_error`, or
/// `invalid_request`.
package struct AADB2C: Hashable, Sendable {
  /// The number after `AADB2C`.
  package var number: Int
  package var meaning: String
  package var remedy: AADSTS.Remedy
  /// Specific advice that replaces the general advice, or nil.
  package var adviceOverride: String?
  /// A specific verdict that replaces the general verdict, or nil.
  var verdictOverride: Verdict?

  /// The full code, for example `AADB2C90118`.
  package var code: String { "AADB2C\(number)" }

  package var advice: String { adviceOverride ?? remedy.advice }

  package static func numbered(_ number: Int) -> AADB2C? { all.first { $0.number == number } }

  package static let all: [AADB2C] = DataRecord.read(EmbeddedData.text("aadb2c.txt")).map { record in
    AADB2C(
      number: Int(record.text("code")) ?? 0, meaning: record.text("meaning"),
      remedy: record.value("remedy") ?? .differentRequest, adviceOverride: record["advice"],
      verdictOverride: record.value("verdict"))
  }
}
