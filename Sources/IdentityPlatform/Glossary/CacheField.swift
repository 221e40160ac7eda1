/// Descriptions of the sections and fields in MSAL's unified cache schema, which all MSAL libraries share.
package enum CacheField {
  /// Returns the description of the entries in a section, or nil if the schema does not define the section.
  package static func section(_ name: some StringProtocol) -> String? { records.first?[String(name)] }

  /// Returns the description of a field, or nil if the schema does not define the field.
  package static func meaning(of name: some StringProtocol) -> String? { records.last?[String(name)] }

  /// The record of section descriptions, followed by the record of field descriptions.
  private static let records = DataRecord.read(EmbeddedData.text("cache-fields.txt"))
}
