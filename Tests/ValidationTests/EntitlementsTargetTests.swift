import Diagnostics
import Documents
import Testing
import Validation

/// Tests the selection of entitlements files that belong to an app that signs in with MSAL.
@Suite("Entitlements and their targets") struct EntitlementsTargetTests {
  static let mail = AppleRuleTests.plist(["msal\(AppleRuleTests.id)"], #""LSRequiresIPhoneOS": true"#)
  static let plain = AppleRuleTests.plist(nil, #""LSRequiresIPhoneOS": true"#)
  static let mac = AppleRuleTests.plist(nil, #""LSMinimumSystemVersion": "14.0""#)
  static let own = AppleRuleTests.entitlements(["$(AppIdentifierPrefix)com.contoso.mail"])
  static let sandbox = #"{"com.apple.security.app-sandbox": true}"#
  static let networked = #"{"com.apple.security.app-sandbox": true, "com.apple.security.network.client": true}"#

  struct Target {
    var name: String
    var type = "application"
    var infoPlist: String?
    var entitlements: String?
    var sdk = "iphoneos"
    var more = ""
  }

  /// Returns a project with one build configuration for each target.
  static func project(_ targets: [Target]) -> String {
    var objects: [String] = []
    for target in targets {
      var settings = "PRODUCT_BUNDLE_IDENTIFIER = com.contoso.\(target.name); SDKROOT = \(target.sdk); \(target.more)"
      if let path = target.infoPlist { settings += " INFOPLIST_FILE = \"\(path)\";" }
      if let path = target.entitlements { settings += " CODE_SIGN_ENTITLEMENTS = \"\(path)\";" }
      let id = target.name.uppercased()
      objects += [
        "C\(id) = { isa = XCBuildConfiguration; name = Release; buildSettings = { \(settings) }; };",
        "L\(id) = { isa = XCConfigurationList; buildConfigurations = (C\(id)); };",
        "T\(id) = { isa = PBXNativeTarget; name = \(target.name); buildConfigurationList = L\(id); "
          + "productType = \"com.apple.product-type.\(target.type)\"; };",
      ]
    }
    objects += [
      "PL = { isa = XCConfigurationList; buildConfigurations = (); };",
      "P = { isa = PBXProject; buildConfigurationList = PL; "
        + "targets = (\(targets.map { "T\($0.name.uppercased())" }.joined(separator: ", "))); };",
    ]
    return "// !$*UTF8*$!\n{ archiveVersion = 1; objectVersion = 56; rootObject = P;\n"
      + "objects = {\n\(objects.joined(separator: "\n"))\n}; }\n"
  }

  static func findings(_ files: [String: String], notes: Bool = false) -> [String] {
    AppleRuleTests.findings(files, notes: notes).map { String($0.prefix { $0 != ":" }) }.filter {
      $0.hasPrefix("keychain") || $0.hasPrefix("sandbox")
    }
  }

  /// Returns the files that `--fix` changes.
  static func fixed(_ files: [String: String]) -> [String] {
    let named = files.map { NamedFile(name: $0.key, bytes: Array($0.value.utf8), root: "") }
    let validator = ProjectValidator { path, _ in
      ReadResult(document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", path, at: .file(path))])
    }
    return FixSession { ConfiguredValidator(validator: validator).check($0) }.run(named).files.map(\.name).sorted()
  }

  /// Several apps and extensions in one folder. Only one app signs in.
  static let shared: [String: String] = [
    "Vault/Vault-Info.plist": mail, "Vault/Vault.entitlements": own,
    "Vault/Free-Info.plist": plain, "Vault/Free.entitlements": own,
    "Vault/AutoFill-Info.plist": AppleRuleTests.plist(nil, #""NSExtension": {}"#), "Vault/AutoFill.entitlements": own,
    "Vault/Mac-Info.plist": mac, "Vault/Mac.entitlements": sandbox,
    "Vault/Unified-Info.plist": mac, "Vault/Unified.entitlements": networked,
  ]

  @Test("checks only the target that uses MSAL if a project lists the targets") func projectTargets() {
    let targets = ["Vault", "Free", "AutoFill", "Mac", "Unified"].map { name in
      Target(
        name: name, type: name == "AutoFill" ? "app-extension" : "application",
        infoPlist: "Vault/\(name)-Info.plist", entitlements: "Vault/\(name).entitlements",
        sdk: ["Mac", "Unified"].contains(name) ? "macosx" : "iphoneos")
    }
    let files = Self.shared.merging(["Vault.xcodeproj/project.pbxproj": Self.project(targets)]) { $1 }
    #expect(Self.findings(files) == ["keychain-group-missing"])
    #expect(Self.fixed(files) == ["Vault/Vault.entitlements"])
  }

  @Test("assigns files in one folder by name if there is no project") func fileNames() {
    #expect(Self.findings(Self.shared) == ["keychain-group-missing"])
    #expect(Self.fixed(Self.shared) == ["Vault/Vault.entitlements"])
  }

  @Test("does not fix entitlements if several files may belong to the app that signs in") func severalCandidates() {
    let files = ["a/Info.plist": Self.mail, "a/Mail.entitlements": Self.own, "a/Share.entitlements": Self.own]
    #expect(Self.findings(files) == [])
    #expect(Self.findings(files, notes: true) == ["keychain-group-missing", "keychain-group-missing"])
    #expect(Self.fixed(files) == [])
    let variants = [
      "a/Info.plist": Self.mail, "a/MailDebug.entitlements": Self.own, "a/MailRelease.entitlements": Self.own,
    ]
    #expect(Self.fixed(variants) == ["a/MailDebug.entitlements", "a/MailRelease.entitlements"])
  }

  @Test("ignores entitlements without a target and entitlements of targets without an Info.plist")
  func generatedInfoPlist() {
    let files = [
      "App/Info.plist": Self.mail, "App/App.entitlements": Self.own, "App/Widget.entitlements": Self.own,
      "App/Old.entitlements": Self.own,
      "App.xcodeproj/project.pbxproj": Self.project([
        Target(name: "App", infoPlist: "App/Info.plist", entitlements: "App/App.entitlements"),
        Target(name: "Widget", type: "app-extension", entitlements: "App/Widget.entitlements"),
      ]),
    ]
    #expect(Self.findings(files, notes: true) == ["keychain-group-missing"])
    #expect(Self.fixed(files) == ["App/App.entitlements"])
  }

  @Test("requires the iOS keychain group even if the entitlements contain the app sandbox") func sandboxOnIOS() throws {
    let groups = AppleRuleTests.entitlements(
      ["$(AppIdentifierPrefix)com.contoso.mail"], #""com.apple.security.app-sandbox": true"#,
      #""com.apple.security.network.client": true"#)
    let files = ["a/Info.plist": Self.mail, "a/Mail.entitlements": groups].map {
      NamedFile(name: $0.key, bytes: Array($0.value.utf8), root: "")
    }
    let validator = ProjectValidator { _, _ in ReadResult(document: nil, diagnostics: []) }
    let findings = validator.validate(files).diagnostics.filter { $0.rule == "keychain-group-missing" }
    #expect(findings.map(\.message) == ["keychain group `com.microsoft.adalcache` is missing"])
  }

  @Test(
    "reports a sandbox without network access only for targets that run on a Mac",
    arguments: [("iphoneos", "", 0), ("iphoneos", "SUPPORTS_MACCATALYST = YES;", 1), ("macosx", "", 1)])
  func sandboxByPlatform(sdk: String, more: String, count: Int) {
    let groups = AppleRuleTests.entitlements(
      ["$(AppIdentifierPrefix)com.microsoft.\(sdk == "macosx" ? "identity.universalstorage" : "adalcache")"],
      #""com.apple.security.app-sandbox": true"#)
    let target = Target(
      name: "App", infoPlist: "App/Info.plist", entitlements: "App/App.entitlements", sdk: sdk, more: more)
    let files = [
      "App/Info.plist": sdk == "macosx" ? Self.mac : Self.mail, "App/App.entitlements": groups,
      "App.xcodeproj/project.pbxproj": Self.project([target]),
    ]
    #expect(Self.findings(files) == Array(repeating: "sandbox-network-client", count: count))
  }

  @Test("ignores the entitlements of apps without MSAL") func appsWithoutMSAL() {
    let flutter = [
      "macos/Runner/Info.plist": Self.mac, "macos/Runner/DebugProfile.entitlements": Self.networked,
      "macos/Runner/Release.entitlements": Self.sandbox,
    ]
    #expect(Self.findings(flutter, notes: true) == [])
    let okta = AppleRuleTests.entitlements(["com.okta.keychain", "$(AppIdentifierPrefix).com.okta.shared"])
    #expect(Self.findings(["App.entitlements": okta], notes: true) == [])
    #expect(Self.fixed(["App.entitlements": okta]) == [])
    // If the list also contains MSAL's group, validation checks all groups.
    let both = AppleRuleTests.entitlements(["com.okta.keychain", "$(AppIdentifierPrefix)com.microsoft.adalcache"])
    #expect(Self.findings(["App.entitlements": both]) == ["keychain-group-prefix"])
  }

  @Test(
    "does not fix groups that a build setting may define",
    arguments: ["$(AppIdentifierPrefix)$(SHARED_GROUP)", "$(KEYCHAIN_GROUPS)"])
  func groupsOfBuildSettings(group: String) {
    let files = ["a/Info.plist": Self.mail, "a/Mail.entitlements": AppleRuleTests.entitlements([group])]
    #expect(Self.findings(files) == [])
    #expect(Self.fixed(files) == [])
  }
}
