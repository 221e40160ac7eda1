/// What the sections and fields of MSAL's token cache are for: the unified schema, which all MSALs share.
package enum CacheField {
  /// What an entry of the section is; nil for one that the schema does not have.
  package static func section(_ name: some StringProtocol) -> String? { records.first?[String(name)] }

  /// What a field says; nil for one that the schema does not have.
  package static func meaning(of name: some StringProtocol) -> String? { records.last?[String(name)] }

  /// The sections, then the fields.
  private static let records = DataRecord.read(EmbeddedData.text("cache-fields.txt"))
}
