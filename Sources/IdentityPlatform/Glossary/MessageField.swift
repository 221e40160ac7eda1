/// Descriptions of headers, parameters, and JSON members in HTTP messages, for reports.
///
/// The descriptions include MSAL's parameters (`WireParameter`) and the fields that services, browsers, and Microsoft
/// Graph use.
package enum MessageField {
  /// Returns the description of a field, ignoring case, or nil if the field is unknown.
  package static func meaning(of name: some StringProtocol) -> String? { meanings[name.lowercased()] }

  private static let meanings: [String: String] = {
    var meanings: [String: String] = [:]
    for record in DataRecord.read(EmbeddedData.text("message-fields.txt")) {
      for (name, meaning) in record.entries { meanings[name.lowercased()] = String(meaning) }
    }
    for name in ["environment", "home_account_id"] { meanings[name] = CacheField.meaning(of: name) }
    for parameter in WireParameter.all { meanings[parameter.name.lowercased()] = parameter.meaning }
    return meanings
  }()
}
