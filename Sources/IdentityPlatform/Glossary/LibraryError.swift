/// An exception or error class in MSAL for another platform.
package struct LibraryError: Hashable, Sendable {
  package var name: String
  package var platforms: String
  package var meaning: String
  /// The corresponding code in MSAL for Apple platforms.
  package var counterpart: MSALErrorCode?
  package var advice: String
  package var verdict: Verdict

  package static let all: [LibraryError] = DataRecord.read(EmbeddedData.text("library-errors.txt")).map {
    LibraryError(
      name: $0.text("name"), platforms: $0.text("platforms"), meaning: $0.text("meaning"),
      counterpart: $0["counterpart"].flatMap(MSALErrorCode.named), advice: $0.text("advice"),
      verdict: $0.value("verdict") ?? .readCode)
  }
}
