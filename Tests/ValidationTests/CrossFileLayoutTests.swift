import Diagnostics
import Testing
import Validation

/// Tests complete apps in typical repository layouts. Validation reports nothing for valid apps and detects
/// contradictions across folders.
@Suite struct CrossFileLayoutTests {
  static let id = CrossFileRuleTests.id
  static let other = CrossFileRuleTests.other

  static func plist(_ bundleID: String) -> String {
    #"""
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
      <key>CFBundleIdentifier</key>
      <string>\#(bundleID)</string>
      <key>CFBundleURLTypes</key>
      <array>
        <dict>
          <key>CFBundleURLSchemes</key>
          <array>
            <string>msauth.\#(bundleID)</string>
          </array>
        </dict>
      </array>
      <key>LSApplicationQueriesSchemes</key>
      <array>
        <string>msauthv2</string>
        <string>msauthv3</string>
      </array>
    </dict>
    </plist>
    """#
  }

  static func manifest(_ uris: [String], id: String = id, spa: [String] = [], audience: String = "AzureADMultipleOrgs")
    -> String
  {
    func list(_ uris: [String]) -> String { "[\(uris.map { "\"\($0)\"" }.joined(separator: ", "))]" }
    return #"""
      {"appId": "\#(id)", "displayName": "Contoso", "signInAudience": "\#(audience)",
       "publicClient": {"redirectUris": \#(list(uris))}, "spa": {"redirectUris": \#(list(spa))},
       "requiredResourceAccess": [{"resourceAppId": "00000003-0000-0000-c000-000000000000",
         "resourceAccess": [{"id": "e1fe6dd8-ba31-4d61-89e7-88639da4683d", "type": "Scope"}]}]}
      """#
  }

  static func settings(_ bundleID: String, id: String = id, more: String = "") -> String {
    "AppId: \(id)\nBundleId: \(bundleID)\nGraphScopes: [User.Read]\n\(more)\n"
  }

  static func android(_ uri: String, id: String = id) -> String {
    #"""
    {"client_id": "\#(id)", "redirect_uri": "\#(uri)", "broker_redirect_uri_registered": true,
     "authorization_user_agent": "DEFAULT", "account_mode": "SINGLE",
     "authorities": [{"type": "AAD", "audience": {"type": "AzureADMultipleOrgs"}, "default": true}]}
    """#
  }

  static let signature = "Aah1OaccgJScKbbTTSm3CW3H87I%3D"
  static let project = "// !$*UTF8*$!\n{ archiveVersion = 1; objectVersion = 56; objects = {}; rootObject = A; }\n"

  struct Layout: Sendable {
    var name: String
    var files: [(name: String, text: String)]
    /// A file that contradicts the app, with its text, and the rule that reports the contradiction.
    var broken: (name: String, text: String)
    var rule: String
  }

  static let layouts: [Layout] = [
    Layout(
      name: "Xcode",
      files: [
        ("Contoso.xcodeproj/project.pbxproj", project), ("Contoso/Info.plist", plist("com.contoso.app")),
        ("Contoso/AuthSettings.yaml", settings("com.contoso.app")),
        ("Registration/manifest.json", manifest(["msauth.com.contoso.app://auth"])),
      ],
      broken: ("Registration/manifest.json", manifest(["msauth.com.contoso.mail://auth", "http://localhost"])),
      rule: "redirect-not-in-app"),
    Layout(
      name: "React Native",
      files: [
        ("app/ios/Contoso.xcodeproj/project.pbxproj", project),
        ("app/ios/Contoso/Info.plist", plist("com.contoso.app")),
        ("app/android/app/src/main/res/raw/auth_config.json", android("msauth://com.contoso.app/\(signature)")),
        (
          "app/registration.json", manifest(["msauth.com.contoso.app://auth", "msauth://com.contoso.app/\(signature)"])
        ),
      ],
      broken: ("app/registration.json", manifest(["msauth.com.contoso.app://auth"])), rule: "redirect-not-in-manifest"),
    Layout(
      name: "Flutter",
      files: [
        ("ios/Runner/Info.plist", plist("com.contoso.app")),
        ("android/app/src/main/res/raw/auth_config.json", android("msauth://com.contoso.app/\(signature)")),
        (
          "assets/registration.json",
          manifest(["msauth.com.contoso.app://auth", "msauth://com.contoso.app/\(signature)"])
        ),
      ],
      broken: (
        "assets/registration.json",
        manifest(
          ["msauth.com.contoso.app://auth", "msauth://com.contoso.app/\(signature)"],
          audience: "PersonalMicrosoftAccount")
      ), rule: "audience-contradiction"),
    Layout(
      name: "Capacitor",
      files: [
        ("ios/App/App/Info.plist", plist("com.contoso.app")),
        ("android/app/src/main/res/raw/auth_config.json", android("msauth://com.contoso.app/\(signature)")),
        ("registration.json", manifest(["msauth.com.contoso.app://auth", "msauth://com.contoso.app/\(signature)"])),
      ],
      broken: ("ios/App/App/Info.plist", plist("com.contoso.App")), rule: "redirect-not-in-app"),
    Layout(
      name: "MAUI",
      files: [
        ("Contoso/Platforms/iOS/Info.plist", plist("com.contoso.app")),
        ("Contoso/AuthSettings.yaml", settings("com.contoso.app")),
        ("Contoso/registration.json", manifest(["msauth.com.contoso.app://auth"])),
      ],
      broken: ("Contoso/AuthSettings.yaml", settings("com.contoso.other")), rule: "bundle-id-contradiction"),
    Layout(
      name: "Xamarin",
      files: [
        ("Contoso.iOS/Info.plist", plist("com.contoso.app")),
        ("Contoso/AuthSettings.yaml", settings("com.contoso.app")),
        ("registration.json", manifest(["msauth.com.contoso.app://auth"])),
      ],
      broken: ("Contoso/AuthSettings.yaml", settings("com.contoso.app", id: other)), rule: "client-id-mismatch"),
    Layout(
      name: "Monorepo",
      files: [
        ("samples/mail/AuthSettings.yaml", settings("com.contoso.mail")),
        ("samples/mail/registration/manifest.json", manifest(["msauth.com.contoso.mail://auth"])),
        ("samples/mail/Mail/Info.plist", plist("com.contoso.mail")),
        ("samples/todo/AuthSettings.yaml", settings("com.contoso.todo", id: other)),
        ("samples/todo/registration/manifest.json", manifest(["msauth.com.contoso.todo://auth"], id: other)),
        ("samples/todo/Todo/Info.plist", plist("com.contoso.todo")),
      ],
      broken: ("samples/todo/Todo/Info.plist", plist("com.contoso.notes")), rule: "bundle-id-contradiction"),
    Layout(
      name: "Sample with scripts",
      files: [
        ("AppCreationScripts/apps.json", CrossFileRuleTests.apps("com.contoso.app").text),
        ("App/Info.plist", plist("com.contoso.app")), ("App.xcodeproj/project.pbxproj", project),
      ],
      broken: ("App/Info.plist", plist("com.contoso.mail")), rule: "bundle-id-contradiction"),
    Layout(
      name: "Flat",
      files: [
        ("AuthSettings.yaml", settings("com.contoso.app")), ("Info.plist", plist("com.contoso.app")),
        ("manifest.json", manifest(["msauth.com.contoso.app://auth"])),
      ],
      broken: (
        "AuthSettings.yaml", "AppId: \(id)\nBundleId: com.contoso.app\nGraphScopes: [Mail.Read]\n"
      ), rule: "scope-not-in-manifest"),
  ]

  @Test(arguments: layouts.indices) func acceptsAValidApp(index: Int) {
    let layout = Self.layouts[index]
    #expect(CrossFileRuleTests.rules(layout.files) == [], "\(layout.name)")
  }

  @Test(arguments: layouts.indices) func reportsAContradiction(index: Int) {
    let layout = Self.layouts[index]
    let files = layout.files.map { $0.name == layout.broken.name ? layout.broken : $0 }
    #expect(CrossFileRuleTests.rules(files).contains(layout.rule), "\(layout.name)")
  }

  /// Rules do not compare the files of different apps.
  @Test func acceptsARepositoryWithSeveralApps() {
    let files = Self.layouts.enumerated().flatMap { index, layout in
      layout.files.map { (name: "apps/\(index)/\($0.name)", text: $0.text) }
    }
    #expect(CrossFileRuleTests.rules(files) == [])
  }

  /// Client IDs and bundle IDs differ between the files, so nothing shows which files belong together.
  @Test func acceptsUnrelatedFilesInOneFolder() {
    let ids = (0..<6).map { "6731de7\($0)-14a6-49ae-97bc-6eba6914391e" }
    let files = ids.enumerated().flatMap { index, id -> [(name: String, text: String)] in
      [
        ("\(index).plist", Self.plist("com.contoso.app\(index)")),
        ("\(index).yaml", Self.settings("com.contoso.other\(index)", id: id)),
        ("\(index).json", Self.manifest(["msauth.com.contoso.more://auth"], id: "a\(id.dropFirst())")),
      ]
    }
    #expect(CrossFileRuleTests.rules(files) == [])
  }
}
