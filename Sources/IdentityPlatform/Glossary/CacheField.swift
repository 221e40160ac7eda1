/// Descriptions of the sections and fields in MSAL's unified cache schema, which all MSAL libraries share.
package enum CacheField {
  /// Returns the description of the entries in a section, or nil if the schema does not define the section.
  package static func section(_ name: some StringProtocol) -> String? { records.first?[String(name)] }

  /// Returns the description of a field, or nil if the schema does not define the field.
  package static func meaning(of name: some StringProtocol) -> String? { records.last?[String(name)] }

  /// Two records: one with the section descriptions, and one with the field descriptions.
  private static let records = DataRecord.read(EmbeddedData.text("cache-fields.txt"))
}
