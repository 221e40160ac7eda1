/// A claim in tokens that Microsoft issues.
package struct ClaimDescription: Hashable, Sendable {
  package var name: String
  /// A description of the claim's value.
  package var meaning: String
  /// Whether the value is a time in seconds since 1970.
  package var isTime: Bool

  var adviceOverride: String?

  package static func named(_ name: some StringProtocol) -> ClaimDescription? {
    all.first { $0.name == name }
  }

  package static let all: [ClaimDescription] = DataRecord.read(EmbeddedData.text("claims.txt")).map {
    ClaimDescription(
      name: $0.text("name"), meaning: $0.text("meaning"), isTime: $0["form"] == "time", adviceOverride: $0["advice"])
  }
}
