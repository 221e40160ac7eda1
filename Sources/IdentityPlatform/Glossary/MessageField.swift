/// What a header, parameter or member of an HTTP message says, for people who look at a recorded exchange.
///
/// Beside the parameters that MSAL itself writes (`WireParameter`) these are what the services, browsers and Graph say.
package enum MessageField {
  /// What a field of that name means; nil where this room does not know it. Names are compared without regard to case.
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
