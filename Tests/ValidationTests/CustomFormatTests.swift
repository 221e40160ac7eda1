import Diagnostics
import Documents
import Testing
import Validation

/// Tests configuration files in custom formats that only the app's code reads.
@Suite("Custom formats") struct CustomFormatTests {
  static let id = AppleRuleTests.id

  /// Returns the rules of all findings except notes, and whether `--fix` changes the file.
  static func validate(_ text: String, named name: String) -> (rules: [String], isChanged: Bool) {
    let file = NamedFile(name: name, bytes: Array(text.utf8), root: "")
    let validator = ProjectValidator { path, options in
      DocumentReader.read(Array(text.utf8), named: path, options: options)
    }
    let outcome = FixSession { ConfiguredValidator(validator: validator).check($0) }.run([file])
    let rules = outcome.before.diagnostics.filter { $0.severity != .note }.map(\.rule)
    return (rules, !outcome.files.isEmpty)
  }

  @Test(
    "does not change keys of custom formats",
    arguments: [
      (
        "app/src/main/res/raw/msal_config.json",
        #"{"clientId": "\#(id)", "tenantId": "contoso.com", "scopes": ["User.Read"], "msalRedirectUrl": "msauth://a/b"}"#
      ),
      (
        "config/app.json",
        #"{"apiUrl": "https://contoso.com", "msalClientId": "\#(id)", "msalRedirectUrl": "a.b://auth"}"#
      ),
      (
        "assets/config.json",
        #"{"clientId": "\#(id)", "tenantId": "common", "graphUrl": "https://graph.microsoft.com/v1.0"}"#
      ),
      (
        "auth.json",
        #"{"appId": "\#(id)", "redirectUrl": "graph-tutorial://auth/", "scopes": ["openid", "offline_access", "User.Read"]}"#
      ),
    ])
  func ownKeys(name: String, text: String) {
    let (rules, isChanged) = Self.validate(text, named: name)
    #expect(rules == [])
    #expect(!isChanged)
  }

  @Test("fixes keys in settings that use the tutorial's format") func tutorialKeys() {
    let text = #"{"AppId": "\#(Self.id)", "GraphScope": ["User.Read"]}"#
    let (rules, isChanged) = Self.validate(text, named: "AuthSettings.json")
    #expect(rules == ["unknown-key"])
    #expect(isChanged)
  }

  @Test("reports values that are invalid for every app") func ownValues() {
    let text = #"{"clientId": "YOUR_CLIENT_ID", "authority": "https://login.microsoftonline.com/common"}"#
    #expect(Self.validate(text, named: "config.json").rules == ["app-id-placeholder"])
    let clear = #"{"clientId": "\#(Self.id)", "graphUrl": "http://graph.microsoft.com"}"#
    #expect(Self.validate(clear, named: "config.json").rules.contains("graph-endpoint-malformed"))
  }

  @Test(
    "reports camelCase keys of an MSAL Android configuration once and does not rename them",
    arguments: [
      (#"{"client_id": "\#(id)", "redirectUri": "msauth://a/b", "account_mode": "SINGLE"}"#, 1),
      (#"{"clientId": "\#(id)", "authorities": [{"type": "AAD", "authorityUrl": "https://contoso.com/a"}]}"#, 2),
      (
        #"{"clientId": "\#(id)", "authorities": [{"type": "AAD", "audience": {"type": "AzureADMyOrg", "tenantId": "a.com"}}]}"#,
        2
      ),
      (#"{"client_id": "\#(id)", "clientId": "\#(id)", "authorization_user_agent": "DEFAULT"}"#, 0),
    ])
  func camelCase(text: String, count: Int) {
    let (rules, isChanged) = Self.validate(text, named: "app/src/main/res/raw/auth_config.json")
    #expect(rules == Array(repeating: "android-key-case", count: count))
    #expect(!isChanged)
  }
}
