import AuthflowCLI
import Documents
import Effects
import Foundation
import SimulatedWorld
import TestSupport
import Testing

/// Files as people really keep them.
@Suite struct RealInputTests {
  struct Expected: Decodable, Sendable, CustomTestStringConvertible {
    var file: String
    var expect: String
    var problems: [String]

    var testDescription: String { String(file.split(separator: "/").last ?? "") }
    var isClean: Bool { expect == "clean" }
  }

  static let expectations: [Expected] = {
    guard let directory = Corpus.directory,
      let data = try? Data(contentsOf: directory.appending(path: "expected.json")),
      let all = try? JSONDecoder().decode([Expected].self, from: data)
    else { return [] }
    return all.filter { $0.file.hasPrefix("authsettings/") }
  }()

  /// What must be said of each reason, by a word of it in `expected.json`.
  static let reasons = [
    "placeholder": "app-id-placeholder", "trailing newline": "app-id-white-space",
    "aadClientId empty": "app-id-missing",
    "aadTenantId empty": "tenant-form", "aadRedirectURI empty": "redirect-uri-form", "aadScopes empty": "scopes-empty",
  ]

  static func session(_ file: String) throws -> TerminalSession {
    let url = try #require(Corpus.directory).appending(path: file)
    return try TerminalSession(bytes: ["AuthSettings.plist": Corpus.bytes(url)], shipped: true)
  }

  @Test(.enabled(if: Corpus.isPresent)) func thereAreTen() { #expect(Self.expectations.count == 10) }

  @Test(.enabled(if: Corpus.isPresent), arguments: expectations)
  func tutorialSettingsLoadOrAreRefusedForTheirReason(expected: Expected) async throws {
    let session = try Self.session(expected.file)
    let result = try await session.run("settings", "AuthSettings.plist", "--format", "json")
    #expect(result.status == (expected.isClean ? .success : .unusable), "\(result.error)")
    if expected.isClean {
      #expect(!result.error.contains("error:"), "\(result.error)")
      #expect(try JSON(parsing: Array(result.output.utf8))["clientId"]?.string?.count == 36)
    }
    for problem in expected.problems {
      guard let rule = Self.reasons.first(where: { problem.contains($0.key) })?.value else { continue }
      #expect(result.error.contains("[\(rule)]"), "\(problem): \(result.error)")
      #expect(result.error.contains("AuthSettings.plist:"))
    }
  }

  @Test(.enabled(if: Corpus.isPresent), arguments: expectations)
  func aWorkflowRunsWithThemOrIsRefused(expected: Expected) async throws {
    let session = try Self.session(expected.file)
    try session.files.replace(
      "me.yaml",
      with: Array(
        "authflow: 1\nsettings: AuthSettings.plist\nsteps: [loadAccount, silent, interactive-fallback, signout]\n".utf8),
      privately: false)
    let result = try await session.run("run", "me.yaml", "--fresh")
    #expect(result.status == (expected.isClean ? .success : .unusable), "\(result.output)\(result.error)")
    if !expected.isClean { #expect(result.output == "") }
  }

  /// The tutorial's own files ask for User.Read: the whole of me.yaml goes through.
  @Test(
    .enabled(if: Corpus.isPresent),
    arguments: expectations.filter { $0.isClean && $0.file.contains("GraphTutorial") })
  func aCleanOneRunsTheMainJob(expected: Expected) async throws {
    let session = try Self.session(expected.file)
    let workflow = try #require(session.files.text("Workflows/me.yaml"))
      .replacing("settings: AuthSettings.plist", with: "settings: ../AuthSettings.plist")
    try session.files.replace("Workflows/me.yaml", with: Array(workflow.utf8), privately: false)
    let result = try await session.run("run", "Workflows/me.yaml", "--fresh")
    #expect(result.status == .success, "\(result.output)\(result.error)")
    #expect(result.output.contains("Megan Bowen"))
  }

  struct Variant: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var path = "S.yaml"
    var settings: String
    /// What `settings` must show.
    var shows: [String]
    var platform = ""
  }

  static let variants: [Variant] = [
    Variant(
      testDescription: "a Unicode bundle id",
      settings:
        "AppId: 6731de76-14a6-49ae-97bc-6eba6914391e\nGraphScopes: [User.Read]\nBundleId: com.contoso.größe-日本\n",
      shows: ["com.contoso.größe-日本"]),
    Variant(
      testDescription: "scopes as one string",
      settings:
        "AppId: 6731de76-14a6-49ae-97bc-6eba6914391e\nGraphScopes: User.Read  Calendars.Read\nBundleId: com.contoso.a\n",
      shows: ["User.Read Calendars.Read"]),
    Variant(
      testDescription: "CRLF",
      settings:
        "AppId: 6731de76-14a6-49ae-97bc-6eba6914391e\r\nGraphScopes:\r\n  - User.Read\r\nBundleId: com.contoso.crlf\r\n",
      shows: ["com.contoso.crlf", "User.Read"]),
    Variant(
      testDescription: "a byte order mark",
      settings:
        "\u{FEFF}AppId: 6731de76-14a6-49ae-97bc-6eba6914391e\nGraphScopes: [User.Read]\nBundleId: com.contoso.bom\n",
      shows: ["com.contoso.bom"]),
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

        """, shows: ["com.contoso.spaces", "User.Read"]),
    Variant(
      testDescription: "JSON", path: "S.json",
      settings:
        #"{"AppId": "6731de76-14a6-49ae-97bc-6eba6914391e", "GraphScopes": ["User.Read"], "BundleId": "com.contoso.json"}"#,
      shows: ["com.contoso.json"]),
    Variant(
      testDescription: "old property list", path: "S.plist",
      settings:
        "// Xcode wrote this\n{ AppId = \"6731de76-14a6-49ae-97bc-6eba6914391e\"; GraphScopes = ( \"User.Read\" ); BundleId = com.contoso.old; }\n",
      shows: ["com.contoso.old"]),
    Variant(
      testDescription: "keys in other case",
      settings: "appid: 6731de76-14a6-49ae-97bc-6eba6914391e\ngraphscopes: [User.Read]\nBUNDLEID: com.contoso.case\n",
      shows: ["com.contoso.case"]),
    Variant(
      testDescription: "an upper-case AppId",
      settings: "AppId: 6731DE76-14A6-49AE-97BC-6EBA6914391E\nGraphScopes: [User.Read]\nBundleId: com.contoso.upper\n",
      shows: ["com.contoso.upper"]),
  ]

  @Test(arguments: variants) func everySpellingOfSettingsRuns(variant: Variant) async throws {
    let session = try TerminalSession(files: [
      variant.path: variant.settings,
      "w.yaml":
        "authflow: 1\r\nsettings: \"\(variant.path)\"\r\nsteps:\r\n  - loadAccount\r\n  - silent\r\n  - interactive-fallback\r\n  - callGraph: /me\r\n",
    ])
    let shown = try await session.run("settings", variant.path)
    #expect(shown.status == .success, "\(shown.error)")
    for words in variant.shows { #expect(shown.output.contains(words), "\(shown.output)") }
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
  ]) func otherPlatformsSettingsAreRead(name: String, text: String) async throws {
    let session = try TerminalSession(files: [name: text])
    let shown = try await session.run("settings", name, "--format", "json")
    #expect(shown.status == .success, "\(shown.error)")
    #expect(try JSON(parsing: Array(shown.output.utf8))["clientId"]?.string == "6731de76-14a6-49ae-97bc-6eba6914391e")
  }
}
