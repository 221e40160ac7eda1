import AppRegistration
import Diagnostics
import Documents
import Testing

/// The JSON Schema of settings comes from the same lines as the decoder; these hold it to what the decoder does.
@Suite struct SettingsSchemaTests {
  static let properties = AppSettings.schema["properties"]?.object.map { Array($0.map { ($0.key, $0.value) }) } ?? []

  @Test func everySpellingIsDescribed() {
    #expect(Self.properties.count > 40)
    for (key, schema) in Self.properties { #expect(schema["description"]?.string?.isEmpty == false, "\(key)") }
    #expect(AppSettings.schema["properties"]?["GraphScopes"]?["default"] == ["User.Read"])
    #expect(AppSettings.schema["properties"]?["TokenExpirationBuffer"]?["default"] == 300)
  }

  /// A value that fits the schema's enumeration is one that the decoder takes.
  @Test(arguments: ["Cloud", "Platform", "WebviewType", "AccountMode"])
  func enumeratedWordsAreTaken(key: String) throws {
    let values = try #require(AppSettings.schema["properties"]?[key]?["enum"]?.array)
    let words = values.compactMap { $0.string }
    #expect(!words.isEmpty)
    for word in words {
      #expect(
        load(settings("\"\(key)\": \"\(word)\"")).diagnostics.allSatisfy { $0.rule != "unknown-value" }, "\(word)")
    }
  }
}
