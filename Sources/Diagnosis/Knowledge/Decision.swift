import IdentityPlatform

/// A decision by a library or the service, as shown in its log.
struct Decision: Sendable {
  var phrase: Phrase
  /// The decision as a clause, such as `no access token in the cache for these scopes`.
  var meaning: String

  /// Reads records with the keys `phrase` and `meaning`.
  static func read(_ text: String) -> [Decision] {
    DataRecord.read(text).compactMap { record in
      Phrase(record.text("phrase")).map { Decision(phrase: $0, meaning: record.text("meaning")) }
    }
  }
}
