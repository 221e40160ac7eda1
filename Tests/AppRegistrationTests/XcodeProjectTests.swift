import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform
import Testing

@Suite struct XcodeProjectTests {
  /// Returns a project with one target and its settings.
  static func project(
    target: [String: String] = [:], project: [String: String] = [:], base: String = "", objects: String = ""
  ) -> String {
    func configurations(_ prefix: String, _ settings: [String: String], _ base: String) -> String {
      settings.keys.sorted().map { name in
        """
        \(prefix)\(name) /* \(name) */ = {
          isa = XCBuildConfiguration;
          \(base)
          buildSettings = { \(settings[name] ?? "") };
          name = \(name);
        };
        """
      }.joined(separator: "\n")
    }
    func list(_ id: String, _ prefix: String, _ names: some Collection<String>) -> String {
      "\(id) = { isa = XCConfigurationList; buildConfigurations = ( \(names.map { "\(prefix)\($0), " }.joined()) ); };"
    }
    return """
      // !$*UTF8*$!
      {
        archiveVersion = 1;
        objects = {
          P1 = { isa = PBXProject; buildConfigurationList = PL; mainGroup = G1; };
          T1 = {
            isa = PBXNativeTarget; name = "Mail App"; buildConfigurationList = TL;
            productType = "com.apple.product-type.application";
          };
          \(list("PL", "PC", project.keys.sorted()))
          \(list("TL", "TC", target.keys.sorted()))
          \(configurations("PC", project, ""))
          \(configurations("TC", target, base))
          \(objects)
        };
        rootObject = P1;
      }
      """
  }

  static func read(
    _ text: String, named name: String = "ios/Mail.xcodeproj/project.pbxproj", files: [String: String] = [:]
  ) -> XcodeProject {
    let reading = DocumentReader.read(Array(text.utf8), named: name)
    #expect(!reading.diagnostics.hasErrors)
    guard let root = reading.document?.root else { return XcodeProject() }
    #expect(XcodeProject.recognizes(root))
    return XcodeProject.read(root) { path, options in
      guard let text = files[path] else {
        return ReadResult(
          document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", path, at: .file(path))])
      }
      return DocumentReader.read(Array(text.utf8), named: path, options: options)
    }
  }

  static func bundleID(_ settings: String, project: String = "") -> String? {
    read(self.project(target: ["Debug": settings], project: ["Debug": project])).configurations.first?.bundleID?.value
  }

  @Test func readsAllConfigurationsOfAllTargets() throws {
    let configurations = Self.read(
      Self.project(
        target: [
          "Debug": "PRODUCT_BUNDLE_IDENTIFIER = com.contoso.mail.debug; INFOPLIST_FILE = Mail/Info.plist;",
          "Release": #"""
          PRODUCT_BUNDLE_IDENTIFIER = com.contoso.mail; INFOPLIST_FILE = "$(SRCROOT)/Mail/Info.plist";
          CODE_SIGN_ENTITLEMENTS = "$(TARGET_NAME)/Mail.entitlements";
          """#,
        ], project: ["Debug": "SDKROOT = iphoneos;", "Release": "SDKROOT = macosx;"])
    ).configurations
    #expect(configurations.map(\.name) == ["Debug", "Release"])
    #expect(configurations.map(\.target) == ["Mail App", "Mail App"])
    #expect(configurations.map(\.bundleID?.value) == ["com.contoso.mail.debug", "com.contoso.mail"])
    #expect(configurations.map(\.infoPlist) == ["ios/Mail/Info.plist", "ios/Mail/Info.plist"])
    #expect(configurations.map(\.entitlements) == [nil, "ios/Mail App/Mail.entitlements"])
    #expect(configurations.map(\.platforms) == [[.iOS], [.macOS]])
    #expect(configurations.map(\.isApp) == [true, true])
    let place = try #require(configurations.last?.bundleID?.place)
    #expect(place.span.map(place.source.text) == "com.contoso.mail")
  }

  @Test(arguments: [
    ("PRODUCT_BUNDLE_IDENTIFIER = com.a;", "PRODUCT_BUNDLE_IDENTIFIER = com.b;", "com.a"),
    ("", "PRODUCT_BUNDLE_IDENTIFIER = com.b;", "com.b"),
    (#"PRODUCT_BUNDLE_IDENTIFIER = "$(inherited).mail";"#, "PRODUCT_BUNDLE_IDENTIFIER = com.b;", "com.b.mail"),
    (#"PRODUCT_BUNDLE_IDENTIFIER = "$(BASE).${NAME}"; NAME = mail;"#, "BASE = com.b;", "com.b.mail"),
    (#"PRODUCT_BUNDLE_IDENTIFIER = "com.a.$(PRODUCT_NAME:rfc1034identifier)";"#, "", "com.a.Mail-App"),
    (#"PRODUCT_BUNDLE_IDENTIFIER = "com.a.${TARGET_NAME:c99extidentifier:lower}";"#, "", "com.a.mail_app"),
    (#"PRODUCT_BUNDLE_IDENTIFIER = "com.$(NO:default=a)";"#, "", "com.a"),
    (#"PRODUCT_BUNDLE_IDENTIFIER = "com.a$(SUFFIX_$(CONFIGURATION))";"#, "SUFFIX_Debug = .debug;", "com.a.debug"),
    (#"PRODUCT_BUNDLE_IDENTIFIER = "com.$(NOWHERE)";"#, "", nil), (#"PRODUCT_BUNDLE_IDENTIFIER = "";"#, "", nil),
    (#"PRODUCT_BUNDLE_IDENTIFIER = "$(A)"; A = "$(B)"; B = "$(A)";"#, "", nil),
    (#"PRODUCT_BUNDLE_IDENTIFIER = "$(";"#, "", nil),
    (#"PRODUCT_BUNDLE_IDENTIFIER = "$(A:upper:odd)"; A = a;"#, "", nil),
  ]) func resolvesReferencesBetweenSettings(target: String, project: String, expected: String?) {
    #expect(Self.bundleID(target, project: project) == expected)
  }

  @Test func addsAConfigurationForACondition() {
    let settings = """
      PRODUCT_BUNDLE_IDENTIFIER = com.a; "PRODUCT_BUNDLE_IDENTIFIER[sdk=macosx*]" = "$(inherited).mac";
      """
    let configurations = Self.read(Self.project(target: ["Debug": settings])).configurations
    #expect(configurations.map(\.condition) == [nil, "sdk=macosx*"])
    #expect(configurations.map(\.bundleID?.value) == ["com.a", ".mac"])
  }

  @Test func layersConfigurationFilesBetweenTargetAndProject() {
    let text = Self.project(
      target: ["Debug": #"PRODUCT_BUNDLE_IDENTIFIER = "$(inherited).debug";"#], project: ["Debug": "BASE = com.p;"],
      base: "baseConfigurationReference = F1;",
      objects: """
        F1 = { isa = PBXFileReference; path = Debug.xcconfig; sourceTree = "<group>"; };
        G2 = { isa = PBXGroup; children = ( F1 ); path = Flutter; sourceTree = "<group>"; };
        G1 = { isa = PBXGroup; children = ( G2 ); sourceTree = "<group>"; };
        """)
    let files = [
      "ios/Flutter/Debug.xcconfig": "#include? \"none.xcconfig\"\n#include \"Base.xcconfig\"\nNAME = mail // the app\n",
      "ios/Flutter/Base.xcconfig":
        "#include \"Debug.xcconfig\"\nPRODUCT_BUNDLE_IDENTIFIER = $(BASE).$(NAME)\nNAME = a\n",
    ]
    #expect(Self.read(text, files: files).configurations.map(\.bundleID?.value) == ["com.p.mail.debug"])
    #expect(Self.read(text).configurations.map(\.bundleID?.value) == [".debug"])
  }

  @Test(arguments: [
    ("Mail.xcodeproj/project.pbxproj", "Mail/Info.plist"), ("./a/Mail.xcodeproj/project.pbxproj", "a/Mail/Info.plist"),
    ("/x/Mail.xcodeproj/project.pbxproj", "/x/Mail/Info.plist"), ("project.pbxproj", "../Mail/Info.plist"),
  ]) func resolvesPathsRelativeToTheProject(name: String, path: String) {
    let text = Self.project(target: ["Debug": "INFOPLIST_FILE = Mail/Info.plist;"])
    #expect(Self.read(text, named: name).configurations.map(\.infoPlist) == [path])
  }

  /// Reading a broken or hostile project always terminates.
  @Test(arguments: [
    "{ archiveVersion = 1; objects = {}; rootObject = x; }",
    "{ archiveVersion = 1; objects = { T = { isa = PBXNativeTarget; buildConfigurationList = T; }; }; rootObject = T; }",
    """
    { archiveVersion = 1; rootObject = T; objects = { T = { isa = PBXNativeTarget; buildConfigurationList = L; };
      L = { isa = XCConfigurationList; buildConfigurations = ( L, C, C, x, () ); };
      C = { isa = XCBuildConfiguration; buildSettings = x; baseConfigurationReference = G; };
      G = { isa = PBXGroup; children = ( G ); path = g; sourceTree = "<group>"; }; }; }
    """,
  ]) func terminatesOnBrokenProjects(text: String) {
    #expect(Self.read(text).configurations.allSatisfy { $0.bundleID == nil })
  }

  @Test func limitsTheLengthOfValues() {
    let doubling = (0..<40).map { "A\($0) = \"$(A\($0 + 1))$(A\($0 + 1))\";" }.joined(separator: " ")
    #expect(Self.bundleID(#"PRODUCT_BUNDLE_IDENTIFIER = "$(A0)"; \#(doubling) A40 = x;"#) == nil)
    let open = String(repeating: "$(", count: 100_000)
    #expect(Self.bundleID("PRODUCT_BUNDLE_IDENTIFIER = \"\(open)\";") == nil)
  }

  @Test func limitsTheNumberOfConfigurations() {
    let names = (0..<600).map { "C\($0)" }
    let many = Dictionary(uniqueKeysWithValues: names.map { ($0, "PRODUCT_BUNDLE_IDENTIFIER = com.a;") })
    #expect(Self.read(Self.project(target: many)).configurations.count == 500)
  }
}
