import AuthflowCLI
import Documents
import Effects
import Foundation
import SimulatedWorld
import TestSupport
import Testing

/// Settings from real apps: the fixtures, unusual formats, and the external corpus if it is available.
@Suite struct RealInputTests {
  static let labels = SampleLabel.all(in: "authsettings")

  /// Returns a session that contains the settings of a sample, and the name of the settings file: `AuthSettings` with
  /// the extension of the sample.
  static func session(_ label: SampleLabel) throws -> (TerminalSession, settings: String) {
    let ending = ["plist", "yaml", "json"].first { label.sample.path.contains(".\($0)") } ?? "plist"
    let name = "AuthSettings.\(ending)"
    return (try TerminalSession(bytes: [name: label.sample.bytes()], shipped: true), name)
  }

  @Test("shows settings, or reports the labeled errors", arguments: labels)
  func shown(label: SampleLabel) async throws {
    let (session, name) = try Self.session(label)
    let result = try await session.run("settings", name, "--format", "json")
    #expect(result.status == (label.loadErrors.isEmpty ? .success : .usageError), "\(result.error)")
    if label.loadErrors.isEmpty {
      #expect(!result.error.contains("error:"), "\(result.error)")
      #expect(try JSON(parsing: Array(result.output.utf8))["clientId"]?.string?.count == 36)
    }
    for rule in label.loadErrors {
      #expect(result.error.contains("[\(rule)]"), "\(result.error)")
      #expect(result.error.contains("\(name):"))
    }
  }

  @Test("runs a workflow if its settings are usable, and rejects it otherwise", arguments: labels)
  func run(label: SampleLabel) async throws {
    let (session, name) = try Self.session(label)
    let workflow = "authflow: 1\nsettings: \(name)\nsteps: [loadAccount, silent, interactive-fallback, signout]\n"
    try session.files.replace("me.yaml", with: Array(workflow.utf8), privately: false)
    let result = try await session.run("run", "me.yaml", "--fresh")
    // The emulator does not require an app registration, so it accepts a placeholder as the client ID.
    let isUsable = label.loadErrors.allSatisfy { $0 == "app-id-placeholder" }
    #expect(result.status == (isUsable ? .success : .usageError), "\(result.output)\(result.error)")
    if !isUsable { #expect(result.output == "") }
  }

  /// Settings that request the scope that `GET /me` requires.
  static let settingsWithUserRead = labels.filter { label in
    label.isClean && (try? String(decoding: label.sample.bytes(), as: UTF8.self).contains("User.Read")) == true
  }

  @Test("runs the main workflow with settings that have no labeled errors", arguments: settingsWithUserRead)
  func mainWorkflow(label: SampleLabel) async throws {
    let (session, name) = try Self.session(label)
    let workflow = try #require(session.files.text("Workflows/me.yaml"))
      .replacing("settings: AuthSettings.plist", with: "settings: ../\(name)")
    try session.files.replace("Workflows/me.yaml", with: Array(workflow.utf8), privately: false)
    let result = try await session.run("run", "Workflows/me.yaml", "--fresh")
    #expect(result.status == .success, "\(result.output)\(result.error)")
    #expect(result.output.contains("Megan Bowen"))
  }

  struct Variant: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var path = "S.yaml"
    var settings: String
    /// The values that the output of `settings` must contain.
    var values: [String]
    var platform = ""
  }

  static let variants: [Variant] = [
    Variant(
      testDescription: "a Unicode bundle ID",
      settings:
        "AppId: 6731de76-14a6-49ae-97bc-6eba6914391e\nGraphScopes: [User.Read]\nBundleId: com.contoso.größe-日本\n",
      values: ["com.contoso.größe-日本"]),
    Variant(
      testDescription: "scopes as one string",
      settings:
        "AppId: 6731de76-14a6-49ae-97bc-6eba6914391e\nGraphScopes: User.Read  Calendars.Read\nBundleId: com.contoso.a\n",
      values: ["User.Read Calendars.Read"]),
    Variant(
      testDescription: "CRLF",
      settings:
        "AppId: 6731de76-14a6-49ae-97bc-6eba6914391e\r\nGraphScopes:\r\n  - User.Read\r\nBundleId: com.contoso.crlf\r\n",
      values: ["com.contoso.crlf", "User.Read"]),
    Variant(
      testDescription: "a byte order mark",
      settings:
        "\u{FEFF}AppId: 6731de76-14a6-49ae-97bc-6eba6914391e\nGraphScopes: [User.Read]\nBundleId: com.contoso.bom\n",
      values: ["com.contoso.bom"]),
    Variant(
      testDescription: "a folder with spaces", path: "My App (2)/Auth Settings.plist",
      settings: """
        <?xml version="1.0" encoding="UTF-8"?>\r
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\r
        <plist version="1.0">\r
        <dict>\r
        \t<key>AppId</key>\r
        \t<string>6731de76-14a6-49ae-97bc-6eba6914391e</string>\r
        \t<key>GraphScopes</key>\r
        \t<array><string>User.Read</string></array>\r
        \t<key>BundleId</key><string>com.contoso.spaces</string>\r
        </dict>\r
        </plist>\r

        """, values: ["com.contoso.spaces", "User.Read"]),
    Variant(
      testDescription: "JSON", path: "S.json",
      settings:
        #"{"AppId": "6731de76-14a6-49ae-97bc-6eba6914391e", "GraphScopes": ["User.Read"], "BundleId": "com.contoso.json"}"#,
      values: ["com.contoso.json"]),
    Variant(
      testDescription: "a text property list", path: "S.plist",
      settings:
        "// Xcode wrote this\n{ AppId = \"6731de76-14a6-49ae-97bc-6eba6914391e\"; GraphScopes = ( \"User.Read\" ); BundleId = com.contoso.old; }\n",
      values: ["com.contoso.old"]),
    Variant(
      testDescription: "keys in a different case",
      settings: "appid: 6731de76-14a6-49ae-97bc-6eba6914391e\ngraphscopes: [User.Read]\nBUNDLEID: com.contoso.case\n",
      values: ["com.contoso.case"]),
    Variant(
      testDescription: "an uppercase AppId",
      settings: "AppId: 6731DE76-14A6-49AE-97BC-6EBA6914391E\nGraphScopes: [User.Read]\nBundleId: com.contoso.upper\n",
      values: ["com.contoso.upper"]),
  ]

  @Test(arguments: variants) func acceptsUnusualFormatsOfSettings(variant: Variant) async throws {
    let session = try TerminalSession(files: [
      variant.path: variant.settings,
      "w.yaml":
        "authflow: 1\r\nsettings: \"\(variant.path)\"\r\nsteps:\r\n  - loadAccount\r\n  - silent\r\n  - interactive-fallback\r\n  - callGraph: /me\r\n",
    ])
    let shown = try await session.run("settings", variant.path)
    #expect(shown.status == .success, "\(shown.error)")
    for value in variant.values { #expect(shown.output.contains(value), "\(shown.output)") }
    let result = try await session.run("run", "w.yaml", "--fresh")
    #expect(result.status == .success, "\(result.output)\(result.error)")
    #expect(result.output.contains("Megan Bowen"))
  }

  @Test(arguments: [
    (
      "android.json",
      #"{ "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e", "redirect_uri": "msauth://com.contoso.a/1wIqXSqBj7w%2Bh11ZifsnqwgyKrY%3D", "authorities": [ { "type": "AAD", "audience": { "type": "AzureADandPersonalMicrosoftAccount" } } ] }"#
    ),
    (
      "appsettings.json",
      #"{ /* comments are allowed here */ "AzureAd": { "Instance": "https://login.microsoftonline.com/", "TenantId": "common", "ClientId": "6731de76-14a6-49ae-97bc-6eba6914391e", "Scopes": "User.Read", }, }"#
    ),
  ]) func readsSettingsOfOtherLibraries(name: String, text: String) async throws {
    let session = try TerminalSession(files: [name: text])
    let shown = try await session.run("settings", name, "--format", "json")
    #expect(shown.status == .success, "\(shown.error)")
    #expect(try JSON(parsing: Array(shown.output.utf8))["clientId"]?.string == "6731de76-14a6-49ae-97bc-6eba6914391e")
  }
}
