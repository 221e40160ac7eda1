import AppRegistration
import Diagnostics
import Documents
import Testing

/// The JSON Schema of settings agrees with the decoder.
@Suite struct SettingsSchemaTests {
  static let properties = AppSettings.schema["properties"]?.object.map { Array($0.map { ($0.key, $0.value) }) } ?? []

  @Test func describesEveryAlias() {
    #expect(Self.properties.count > 40)
    for (key, schema) in Self.properties { #expect(schema["description"]?.string?.isEmpty == false, "\(key)") }
    #expect(AppSettings.schema["properties"]?["GraphScopes"]?["default"] == ["User.Read"])
    #expect(AppSettings.schema["properties"]?["TokenExpirationBuffer"]?["default"] == 300)
  }

  /// The decoder accepts every value of an enumeration in the schema.
  @Test(arguments: ["Cloud", "Platform", "WebviewType", "AccountMode"])
  func acceptsEnumeratedValues(key: String) throws {
    let values = try #require(AppSettings.schema["properties"]?[key]?["enum"]?.array)
    let words = values.compactMap { $0.string }
    #expect(!words.isEmpty)
    for word in words {
      #expect(
        load(settings("\"\(key)\": \"\(word)\"")).diagnostics.allSatisfy { $0.rule != "unknown-value" }, "\(word)")
    }
  }
}
