/// A claim of Microsoft's tokens and what it says.
package struct ClaimDescription: Hashable, Sendable {
  package var name: String
  /// What it says, for a reader of a decoded token.
  package var words: String
  /// Seconds since 1970, to be shown as a date.
  package var isTime: Bool

  var ownAdvice: String?

  package static func named(_ name: some StringProtocol) -> ClaimDescription? {
    all.first { $0.name == name }
  }

  package static let all: [ClaimDescription] = DataRecord.read(EmbeddedData.text("claims.txt")).map {
    ClaimDescription(
      name: $0.text("name"), words: $0.text("meaning"), isTime: $0["form"] == "time", ownAdvice: $0["advice"])
  }
}
