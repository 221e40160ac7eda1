import Testing

/// Tests rules that compare the schemes in an Info.plist with the bundle IDs in the Xcode project.
@Suite struct AppleBundleIDTests {
  /// Returns a project with one target and these settings for Debug and Release.
  static func project(_ debug: String, _ release: String) -> String {
    """
    { archiveVersion = 1; rootObject = P; objects = {
      T = { isa = PBXNativeTarget; name = Mail; buildConfigurationList = L; };
      L = { isa = XCConfigurationList; buildConfigurations = ( D, R, ); };
      D = { isa = XCBuildConfiguration; name = Debug; buildSettings = { \(debug) }; };
      R = { isa = XCBuildConfiguration; name = Release; buildSettings = { \(release) }; };
    }; }
    """
  }

  static func settings(_ bundleID: String, _ more: String = "") -> String {
    "INFOPLIST_FILE = Mail/Info.plist; PRODUCT_BUNDLE_IDENTIFIER = \"\(bundleID)\"; \(more)"
  }

  static func findings(
    _ schemes: [String], _ debug: String, _ release: String, _ bundleID: String = "$(PRODUCT_BUNDLE_IDENTIFIER)",
    notes: Bool = false, definitions: [String: String] = [:]
  ) -> [String] {
    let plist = AppleRuleTests.plist(
      schemes, queries: AppleRuleTests.both, #""CFBundleIdentifier": "\#(bundleID)""#)
    let files = [
      "a/Mail/Info.plist": plist, "a/Mail.xcodeproj/project.pbxproj": project(debug, release),
    ]
    return AppleRuleTests.findings(files, definitions, notes: notes).map { String($0.prefix { $0 != ":" }) }
  }

  static let rule = "url-scheme-bundle-mismatch"

  @Test func reportsASchemeThatMatchesNoConfiguration() {
    let (debug, release) = (Self.settings("com.contoso.debug"), Self.settings("com.contoso"))
    #expect(Self.findings(["msauth.com.contoso"], release, release, notes: true) == [])
    #expect(Self.findings(["msauth.com.other"], release, release) == [Self.rule])
    #expect(Self.findings(["msauth.com.other"], debug, release) == [Self.rule])
    #expect(Self.findings(["msauth.$(PRODUCT_BUNDLE_IDENTIFIER)"], debug, release, notes: true) == [])
    #expect(
      Self.findings(["msauth.com.other"], debug, release, definitions: ["PRODUCT_BUNDLE_IDENTIFIER": "com.other"]) == []
    )
  }

  @Test func reportsANoteForASchemeThatMatchesOnlyOneConfiguration() {
    let (debug, release) = (Self.settings("com.contoso.debug"), Self.settings("com.contoso"))
    #expect(Self.findings(["msauth.com.contoso"], debug, release) == [])
    #expect(Self.findings(["msauth.com.contoso"], debug, release, notes: true) == [Self.rule])
    #expect(Self.findings(["msauth.com.contoso", "msauth.com.contoso.debug"], debug, release, notes: true) == [])
  }

  @Test func reportsNothingForUnknownBundleIDs() {
    let release = Self.settings("com.contoso")
    #expect(Self.findings(["msauth.com.other"], Self.settings("$(ID)"), release) == [])
    #expect(Self.findings(["msauth.com.other"], "", "") == [])
    #expect(Self.findings(["msauth.com.other"], release.replacing("Mail/", with: "Other/"), "") == [])
  }

  @Test func expandsReferencesInTheBundleID() {
    let settings = Self.settings("com.contoso", "KIND = .beta;")
    let bundleID = "$(PRODUCT_BUNDLE_IDENTIFIER)$(KIND)"
    #expect(Self.findings(["msauth.com.contoso.beta"], settings, settings, bundleID) == [])
    #expect(Self.findings(["msauth.com.contoso"], settings, settings, bundleID) == [Self.rule])
    #expect(Self.findings(["msauth.com.contoso"], settings, settings, "com.contoso") == [])
    #expect(Self.findings(["msauth.com.contoso"], settings, settings, "com.other") == [Self.rule])
  }

  /// Mac apps do not need schemes. Sometimes, only the Xcode project shows that an app is for macOS.
  @Test func usesThePlatformFromTheProject() {
    let plist = AppleRuleTests.plist(["msauth.$(PRODUCT_BUNDLE_IDENTIFIER)"])
    func findings(_ sdk: String) -> [String] {
      let settings = Self.settings("com.contoso", "SDKROOT = \(sdk); CODE_SIGN_ENTITLEMENTS = Mail/Mail.entitlements;")
      return AppleRuleTests.findings(
        ["a/Mail/Info.plist": plist, "a/Mail.xcodeproj/project.pbxproj": Self.project(settings, settings)])
    }
    #expect(findings("macosx") == [])
    #expect(findings("iphoneos").count == 1)
    #expect(findings("auto; SUPPORTED_PLATFORMS = \"iphoneos iphonesimulator macosx\"").count == 1)
    #expect(findings("macosx; SUPPORTS_MACCATALYST = YES").count == 1)
  }

  @Test("warns about an iOS target without entitlements")
  func targetWithoutEntitlements() {
    func findings(_ sdk: String, _ others: String = "") -> [String] {
      let settings = Self.settings("com.contoso", "SDKROOT = \(sdk); \(others)")
      return AppleRuleTests.findings([
        "a/Mail/Info.plist": AppleRuleTests.plist(["msal\(AppleRuleTests.id)"]),
        "a/Mail.xcodeproj/project.pbxproj": Self.project(settings, settings),
      ])
    }
    #expect(findings("iphoneos") == ["keychain-group-absent: msal\(AppleRuleTests.id)"])
    #expect(findings("iphoneos", "CODE_SIGN_ENTITLEMENTS = Mail/Mail.entitlements;") == [])
    #expect(findings("macosx") == [])
  }

  @Test func checksEntitlementsAgainstTheInfoPlistOfTheirTarget() {
    let groups = AppleRuleTests.entitlements(["$(AppIdentifierPrefix)com.contoso.mail"])
    let settings = Self.settings("com.contoso", "CODE_SIGN_ENTITLEMENTS = Mail/Mail.entitlements;")
    func findings(_ schemes: [String]) -> [String] {
      AppleRuleTests.findings([
        "a/Mail/Info.plist": AppleRuleTests.plist(schemes), "a/Mail/Mail.entitlements": groups,
        "a/Widget/Info.plist": AppleRuleTests.plist(["msal\(AppleRuleTests.id)"]),
        "a/Mail.xcodeproj/project.pbxproj": Self.project(settings, settings),
      ])
    }
    #expect(findings(["contoso"]) == [])
    #expect(findings(["msal\(AppleRuleTests.id)"]) == ["keychain-group-missing: keychain-access-groups"])
  }
}
