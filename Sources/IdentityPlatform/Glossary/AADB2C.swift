/// An error of Azure AD B2C: the number after `AADB2C`, and what follows from it.
///
/// The service puts the code into the error_description; the OAuth error is often access_denied, server_error or
/// invalid_request. Numbers as in Microsoft's error reference for B2C; the words are ours.
package struct AADB2C: Hashable, Sendable {
  package var number: Int
  package var meaning: String
  package var wayOut: AADSTS.Remedy
  /// What to do, where the way out does not say it all.
  package var ownAdvice: String?
  /// The verdict, where it is not the way out's.
  var ownVerdict: Verdict?

  /// As it is written: `AADB2C90118`.
  package var code: String { "AADB2C\(number)" }

  package var advice: String { ownAdvice ?? wayOut.advice }

  package static func numbered(_ number: Int) -> AADB2C? { all.first { $0.number == number } }

  package static let all: [AADB2C] = DataRecord.read(EmbeddedData.text("aadb2c.txt")).map { record in
    AADB2C(
      number: Int(record.text("code")) ?? 0, meaning: record.text("meaning"),
      wayOut: record.value("remedy") ?? .differentRequest, ownAdvice: record["advice"],
      ownVerdict: record.value("verdict"))
  }
}
