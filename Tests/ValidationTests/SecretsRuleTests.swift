import Diagnostics
import Documents
import Testing
import Validation

/// Tests that the rules detect secrets in all supported files, cause no false positives, and never show a secret.
@Suite struct SecretsRuleTests {
  static let id = SettingsRuleTests.id

  /// A fake secret in the portal's format. The value is assembled from parts so that secret scanners do not report it.
  static let entra = "a1B" + "8Q~" + "zY9xW8vU7tS6rQ5pO4nM3lK2jI1hG0fEdC"

  static let secrets: [(String, String)] = [
    ("s.json", SettingsRuleTests.json(#""clientSecret": "Zm9vYmFyYmF6cXV1eA""#)),
    ("s.json", SettingsRuleTests.json(#""note": "\#(entra)""#)),
    ("s.json", SettingsRuleTests.json(#""cert": "-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----""#)),
    // A secret can be the value of a client ID, tenant, or scope key.
    ("s.json", #"{"AppId": "\#(entra)", "GraphScopes": ["User.Read"]}"#),
    ("s.json", SettingsRuleTests.json(#""TenantId": "\#(entra)""#)),
    ("s.json", SettingsRuleTests.json(#""GraphScopes": ["User.Read", "\#(entra)"]"#)),
    ("s.json", SettingsRuleTests.json(#""Authority": "https://login.microsoftonline.com/\#(entra)""#)),
    (
      "s.json",
      SettingsRuleTests.json(#""Authority": "http://megan:Zm9vYmFyYmF6cXV1@login.microsoftonline.com/common""#)
    ),
    ("s.json", SettingsRuleTests.json(#""feed": "https://megan:Zm9vYmFyYmF6cXV1@contoso.com""#)),
    (
      "s.json",
      SettingsRuleTests.json(
        #""storage": "DefaultEndpointsProtocol=https;AccountName=contoso;AccountKey=Zm9vYmFyYmF6cXV1eDEyMzQ1==""#)
    ),
    (
      "s.json",
      SettingsRuleTests.json(#""tokenUrl": "https://contoso.azurewebsites.net/api/t?code=Zm9vYmFyYmF6cXV1eDEy==""#)
    ),
    ("s.json", SettingsRuleTests.json(#""subscriptionKey": "0f1e2d3c4b5a69788796a5b4c3d2e1f0""#)),
    ("appsettings.json", #"{"AzureAd": {"ClientId": "\#(id)", "ClientSecret": "abc~1234def"}}"#),
    (
      "w.yaml",
      "authflow: 1\nsettings: { AppId: \(id), ClientSecret: Zm9vYmFyYmF6cXV1eA }\nsteps: [loadAccount, silent, interactive-fallback]\n"
    ),
  ]

  @Test(arguments: secrets) func reportsSecretsWithoutShowingThem(name: String, text: String) throws {
    let findings = SettingsRuleTests.findings(text, named: name).filter { $0.rule == "secret-committed" }
    let finding = try #require(findings.first)
    #expect(findings.count == 1)
    let span = try #require(finding.place.span)
    let secret = finding.place.source.text(in: span).filter { $0 != "\"" }
    let password = secret.firstRange(of: "megan:").map { secret[$0.upperBound...].prefix { $0 != "@" } }
    let all = SettingsRuleTests.findings(text, named: name)
    for part in password.map({ [$0] }) ?? [secret.suffix(9), secret.dropFirst(secret.count / 2).prefix(9)] {
      // Other findings must not show the secret in their source line or message.
      #expect(
        !CaretFrame(color: false).render(all.filter { $0.place.start.line == finding.place.start.line }).contains(part)
      )
      #expect(!DiagnosticJSON.json(all).text().contains(part))
      #expect(!CaretFrame(color: false).render(finding).contains(part))
      #expect(!DiagnosticJSON.json([finding]).text().contains(part))
    }
  }

  static let harmless: [(String, String)] = [
    ("s.json", SettingsRuleTests.json(#""clientSecret": """#)),
    (
      "w.yaml",
      "authflow: 1\nsettings: { AppId: \(id) }\nuser: { username: megan@contoso.com, password: Zm9vYmFyYmF6cXV1eA }\nsteps: [loadAccount, silent, interactive-fallback]\n"
    ),
    ("s.json", SettingsRuleTests.json(#""clientSecret": "YOUR_CLIENT_SECRET""#)),
    ("s.json", SettingsRuleTests.json(#""clientSecret": "<client secret>""#)),
    ("s.json", SettingsRuleTests.json(#""clientSecret": "client-secret-from-portal""#)),
    ("s.json", SettingsRuleTests.json(#""clientSecret": "Enter the client secret here""#)),
    ("s.json", SettingsRuleTests.json(#""clientSecret": "$(CLIENT_SECRET)""#)),
    ("s.json", SettingsRuleTests.json(##""clientSecret": "#{ClientSecret}#""##)),
    ("s.json", SettingsRuleTests.json(#""clientSecret": "xxxxxxxxxxxxxxxx""#)),
    (
      "s.json",
      SettingsRuleTests.json(
        #""clientSecret": "@Microsoft.KeyVault(SecretUri=https://contoso.vault.azure.net/secrets/x)""#)
    ),
    ("s.json", SettingsRuleTests.json(#""feed": "https://megan:password@contoso.com""#)),
    ("s.json", SettingsRuleTests.json(#""feed": "https://megan:${FEED_PASSWORD}@contoso.com""#)),
    ("s.json", SettingsRuleTests.json(#""feed": "https://megan@contoso.com:8080/a:b@c""#)),
    ("s.json", SettingsRuleTests.json(#""secretName": "contoso-2024-app1""#)),
    ("s.json", SettingsRuleTests.json(#""url": "https://contoso.com/?code=1&state=abc""#)),
    ("s.json", SettingsRuleTests.json(#""redirect": "https://contoso.com/?code=<code>&state=abc""#)),
    ("s.json", SettingsRuleTests.json(#""db": "Server=contoso;Database=x;Trusted_Connection=True""#)),
    ("s.json", SettingsRuleTests.json(#""resetPasswordPolicy": "B2C_1_reset_password1""#)),
    ("s.json", SettingsRuleTests.json(#""cert": "-----BEGIN CERTIFICATE-----\nMIIEvQ""#)),
  ]

  @Test(arguments: harmless) func acceptsValuesThatAreNotSecrets(name: String, text: String) {
    #expect(!SettingsRuleTests.findings(text, named: name).map(\.rule).contains("secret-committed"))
  }

  @Test func reportsANoteForARealAppIDInATutorialFile() {
    let text = SettingsRuleTests.json(#""GraphScopes": ["User.Read"]"#)
    #expect(
      SettingsRuleTests.findings(text, named: "GraphTutorial/AuthSettings.plist").map(\.rule) == ["app-id-committed"])
    #expect(SettingsRuleTests.findings(text, named: "AuthSettings.example.plist").map(\.rule) == ["app-id-committed"])
    #expect(SettingsRuleTests.findings(text, named: "Settings.plist").isEmpty)
  }
}
