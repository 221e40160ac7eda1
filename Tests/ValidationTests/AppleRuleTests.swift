import Diagnostics
import Documents
import Testing
import Validation

/// Tests Apple rule findings that the rules' examples do not cover.
@Suite struct AppleRuleTests {
  static let id = "6731de76-14a6-49ae-97bc-6eba6914391e"

  /// Returns an Info.plist with these URL schemes and query schemes. If a list is nil, the Info.plist does not contain
  /// its key.
  static func plist(_ schemes: [String]?, queries: [String]? = nil, _ more: String...) -> String {
    var members = more
    func list(_ texts: [String]) -> String { "[\(texts.map { "\"\($0)\"" }.joined(separator: ", "))]" }
    if let schemes { members.append(#""CFBundleURLTypes": [{"CFBundleURLSchemes": \#(list(schemes))}]"#) }
    if let queries { members.append(#""LSApplicationQueriesSchemes": \#(list(queries))"#) }
    return #"{"CFBundleName": "Mail", "# + members.joined(separator: ", ") + "}"
  }

  static func entitlements(_ groups: [String], _ more: String...) -> String {
    let list = groups.map { "\"\($0)\"" }.joined(separator: ", ")
    return "{" + (more + [#""keychain-access-groups": [\#(list)]"#]).joined(separator: ", ") + "}"
  }

  /// Returns the findings as `rule: text`, by default without notes.
  static func findings(
    _ files: [String: String], _ definitions: [String: String] = [:], notes: Bool = false
  ) -> [String] {
    let validator = ProjectValidator(definitions: definitions) { path, options in
      guard let text = files[path] else {
        return ReadResult(
          document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", path, at: .file(path))])
      }
      return DocumentReader.read(Array(text.utf8), named: path, options: options)
    }
    let named = files.sorted { $0.key < $1.key }.filter { !$0.key.hasSuffix(".xcconfig") }.map {
      NamedFile(name: $0.key, bytes: Array($0.value.utf8), root: "")
    }
    return validator.validate(named).diagnostics.filter { notes || $0.severity != .note }.map { diagnostic in
      let text = diagnostic.place.span.map(diagnostic.place.source.text) ?? ""
      return "\(diagnostic.rule): \(text.trimmingPrefix("\"").prefix { $0 != "\"" })"
    }
  }

  static func findings(_ text: String, _ definitions: [String: String] = [:]) -> [String] {
    findings(["Info.plist": text], definitions)
  }

  static let both = ["msauthv2", "msauthv3"]

  @Test(arguments: [
    ("msal[client id]", "url-scheme-placeholder"), ("msalENTER_YOUR_CLIENT_ID", "url-scheme-placeholder"),
    ("msalxxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", "url-scheme-placeholder"),
    ("msal00000000-0000-0000-0000-000000000000", "url-scheme-placeholder"),
    ("msal11111111-1111-1111-1111-111111111111", "url-scheme-placeholder"),
    ("msauth.<bundle id>", "url-scheme-placeholder"), ("msauth.YOUR_BUNDLE_ID", "url-scheme-placeholder"),
    ("msauth.(PRODUCT_BUNDLE_IDENTIFIER)", "url-scheme-placeholder"),
    ("msauth.$(PRODUCT_BUNDLE_IDENTIFIER", "url-scheme-placeholder"),
    ("msauth.com.contoso.mail://auth", "url-scheme-malformed"), ("msauth.com.contoso.my_mail", "url-scheme-malformed"),
    ("msauth.com.contoso.mail ", "url-scheme-malformed"), ("msal \(id)", "url-scheme-malformed"),
    ("msal", "url-scheme-generic"), ("msauth", "url-scheme-generic"), ("msauthv2", "url-scheme-generic"),
    ("msal6731de76-14a6-49ae-97bc-6eba6914391", "url-scheme-client-id"),
    ("msal6731de7614a649ae97bc6eba6914391e", "url-scheme-client-id"),
    ("msal6731de76-14a6-49ae-97bc-6eba6914391g", "url-scheme-client-id"), ("msauth.\(id)", "url-scheme-client-id"),
  ]) func reportsInvalidSchemes(scheme: String, rule: String) {
    #expect(Self.findings(Self.plist([scheme], queries: Self.both)) == ["\(rule): \(scheme)"])
  }

  /// If two URLs have the same scheme, their fixes register the scheme only once.
  @Test func registersTheSchemeOfTwoURLsOnce() throws {
    let text = Self.plist(["msal\(Self.id)", "contoso://a", "contoso://b"])
    let validator = ProjectValidator { _, _ in ReadResult(document: nil, diagnostics: []) }
    let report = validator.validate([NamedFile(name: "Info.plist", bytes: Array(text.utf8))])
    let edits = report.diagnostics.filter { $0.rule == "url-scheme-malformed" }.flatMap { $0.fix?.edits ?? [] }
    let fixed = try SpanEdits.apply(edits, to: SourceText(name: "Info.plist", text: text))
    #expect(String(decoding: fixed, as: UTF8.self) == Self.plist(["msal\(Self.id)", "contoso"]))
  }

  @Test(arguments: [
    ["msal\(id)"], ["msal\(id.uppercased())", "contoso-mail"], ["msauth.com.contoso.mail"], ["msauth.$(BUNDLE)"],
    ["msauth.${PRODUCT_BUNDLE_IDENTIFIER}", "fb123"], ["msauth.$(PRODUCT_BUNDLE_IDENTIFIER:lower)"],
    ["msal$(CLIENT_ID)"],
    ["msauth.com.yourlauncher.app"], ["msauth.com.example.Mail", "msauth.com.microsoft.intunemam"],
    ["x-msauth-com-contoso-mail"], ["msalpha.com.contoso"],
  ]) func acceptsValidSchemes(schemes: [String]) {
    #expect(Self.findings(Self.plist(schemes, queries: Self.both)) == [])
  }

  /// Apps that do not sign in with MSAL have no findings.
  @Test(arguments: [
    ["auth"], [""], ["com.example.app"], ["fb[APP_ID]"], ["oauth", "a b"], ["msalesforce"], ["com.contoso://x"],
  ]) func ignoresAppsWithoutMSAL(schemes: [String]) {
    #expect(Self.findings(Self.plist(schemes)) == [])
    #expect(Self.findings(Self.plist(schemes, queries: ["fbapi", "fbapi"])) == [])
  }

  @Test(arguments: [
    (["msauthv2"], ["query-schemes-missing: LSApplicationQueriesSchemes"]),
    (["msauthv3", "msauth"], ["query-schemes-missing: LSApplicationQueriesSchemes"]),
    ([], ["query-schemes-missing: LSApplicationQueriesSchemes"]),
    (["msauthv2", "MSAuthV3"], ["query-schemes-misspelled: MSAuthV3"]),
    (["msauthv2://", "msauthv3"], ["query-schemes-misspelled: msauthv2://"]),
    (["msauthv2", "msauth3"], ["query-schemes-misspelled: msauth3"]),
    (["mauthv2", "msauthv3"], ["query-schemes-missing: LSApplicationQueriesSchemes"]),
    (["msauthv2", "msauthv2", "msauthv3"], ["query-schemes-duplicate: msauthv2"]),
    (["msauthv2", "msauthv3", "msauthv1"], []), (["$(QUERY)"], []), (["msauthv3", "fbapi", "msauthv2", "fbapi"], []),
  ]) func checksBrokerQuerySchemes(queries: [String], expected: [String]) {
    #expect(Self.findings(Self.plist(["msauth.com.contoso.mail"], queries: queries)) == expected)
  }

  @Test func doesNotRequireQuerySchemesWithoutABroker() {
    #expect(Self.findings(Self.plist(["msal\(Self.id)"])) == [])
    #expect(Self.findings(Self.plist(["msal\(Self.id)"], queries: ["fbapi", "msauth"])) == [])
    #expect(Self.findings(Self.plist(["msauth.com.microsoft.intunemam"])) == [])
    #expect(Self.findings(Self.plist(["msauth.com.a.b"], #""NSExtension": {}"#)) == [])
    #expect(Self.findings(Self.plist(["msauth.com.a.b"], #""LSMinimumSystemVersion": "14.0""#)) == [])
    #expect(Self.findings(Self.plist(["msauth.com.a.b"], #""NSPrincipalClass": "NSApplication""#)) == [])
  }

  @Test(arguments: [
    (["msauth.com.contoso.mail"], "com.contoso.mail", 0), (["msauth.com.contoso.Mail"], "com.contoso.mail", 1),
    (["msauth.com.a", "msauth.com.b"], "com.b", 0), (["msauth.com.a", "msauth.com.b"], "com.c", 2),
    (["msauth.com.a-intunemam", "msauth.com.microsoft.intunemam"], "com.c", 0), (["msauth.$(X)"], "com.c", 0),
    (["msal\(id)"], "com.c", 0), (["msauth.com.a"], "$(PRODUCT_BUNDLE_IDENTIFIER)", 0),
  ]) func comparesTheBundleIDOfTheScheme(schemes: [String], bundleID: String, count: Int) {
    let text = Self.plist(schemes, queries: Self.both, #""CFBundleIdentifier": "\#(bundleID)""#)
    #expect(
      Self.findings(text).map { $0.prefix { $0 != ":" } }
        == Array(repeating: "url-scheme-bundle-mismatch", count: count))
  }

  @Test func usesABundleIDFromTheDefinitions() {
    let definitions = ["PRODUCT_BUNDLE_IDENTIFIER": "com.contoso.mail"]
    let findings = ["url-scheme-bundle-mismatch: msauth.com.a"]
    let plist = Self.plist(
      ["msauth.com.a"], queries: Self.both, #""CFBundleIdentifier": "$(PRODUCT_BUNDLE_IDENTIFIER)""#)
    #expect(Self.findings(plist, definitions) == findings)
    #expect(Self.findings(Self.plist(["msauth.com.a"], queries: Self.both), definitions) == findings)
    let fits = Self.plist(["msauth.$(PRODUCT_BUNDLE_IDENTIFIER)"], queries: Self.both)
    #expect(Self.findings(fits, definitions) == [])
  }

  @Test(arguments: [
    (#""IntuneMAMSettings": {"ADALRedirectUri": "msauth.com.a://auth"}"#, ["msauth.com.a"], 0),
    (#""IntuneMAMSettings": {"ADALRedirectUri": "msauth.com.a://auth"}"#, ["msauth.com.b"], 1),
    (#""IntuneMAMSettings": {"ADALRedirectUri": "msauth.com.a://auth"}"#, ["msauth.$(PRODUCT_BUNDLE_IDENTIFIER)"], 0),
    (#""IntuneMAMSettings": {"ADALRedirectUri": "msauth.$(X)://auth"}"#, ["msauth.com.b"], 0),
    (#""IntuneMAMSettings": {"ADALRedirectUri": "urn:ietf:wg:oauth:2.0:oob"}"#, ["msauth.com.b"], 0),
    (#""IntuneMAMSettings": {"AutoEnrollOnLaunch": true}"#, [], 1),
    (#""CFBundleIdentifier": "com.a""#, ["com.a"], 1), (#""CFBundleIdentifier": "com.a""#, ["contoso"], 0),
    (#""CFBundleIdentifier": "com.a""#, ["$(SCHEME)"], 0), (#""CFBundleIdentifier": "com.a""#, ["x-msauth-com-a"], 0),
    (#""NSExtension": {}"#, [], 0), (#""NSPrincipalClass": "NSApplication""#, [], 0),
  ]) func requiresTheSchemeForBrokerResponses(more: String, schemes: [String], count: Int) {
    let findings = Self.findings(Self.plist(schemes, queries: Self.both, more))
    #expect(findings.map { $0.prefix { $0 != ":" } } == Array(repeating: "url-scheme-not-registered", count: count))
  }

  @Test(arguments: [
    (#""ADALClientId": "TODO - Your Client Id""#, ["intune-placeholder"]),
    (#""ADALClientId": """#, ["intune-placeholder"]),
    (#""ADALAuthority": "https://login.microsoftonline.com/<tenant>""#, ["intune-placeholder"]),
    (#""ADALClientId": "contoso""#, ["intune-client-id"]), (#""ADALClientId": "\#(id)""#, []),
    (#""ADALClientId": "$(CLIENT_ID)""#, []), (#""AutoEnrollOnLaunch": true"#, []), (#""Note": "<say something>""#, []),
  ]) func checksIntuneSettings(member: String, rules: [String]) {
    let text = Self.plist(nil, #""IntuneMAMSettings": {\#(member)}"#)
    #expect(Self.findings(text).map { String($0.prefix { $0 != ":" }) } == rules)
  }

  /// A key that seems to be missing can be in the malformed part of the file.
  @Test func doesNotReportMissingKeysInAMalformedFile() {
    let text = """
      <plist version="1.0"><dict>
      <key>CFBundleURLTypes</key><array><dict>
      <key>CFBundleURLSchemes</key><array><string>msauth.com.a</string></array>
      </dict></array>
      <array><string>msauthv2</string></array>
      </dict></plist>
      """
    #expect(Self.findings(text).map { $0.prefix { $0 != ":" } } == ["plist-syntax"])
  }

  @Test(arguments: [
    (["$(AppIdentifierPrefix)com.microsoft.adalcache"], []),
    (["ABCDE12345.com.microsoft.adalcache", "$(TeamIdentifierPrefix)com.contoso.mail"], []),
    (["${AppIdentifierPrefix}com.microsoft.adalcache"], []),
    (["$(DEVELOPMENT_TEAM).com.microsoft.adalcache"], []),
    (["$(AppIdentifierPrefix)com.microsoft.adalcache", "com.apple.token"], []),
    (["$(AppIdentifierPrefix)com.microsoft.contosomail"], ["keychain-group-missing"]),
    (["$(AppIdentifierPrefix)com.contoso.msalcache"], ["keychain-group-missing"]),
    (["$(AppIdentifierPrefix)com.microsoft.ADALCache"], ["keychain-group-missing"]),
    (["com.microsoft.adalcache"], ["keychain-group-prefix"]),
    (["$(AppIdentifierPrefix).com.microsoft.adalcache"], ["keychain-group-prefix-dot"]),
    (["${TeamIdentifierPrefix}.com.microsoft.adalcache"], ["keychain-group-prefix-dot"]),
    (["group.com.contoso", "$(AppIdentifierPrefix)com.microsoft.adalcache"], ["keychain-group-app-group"]),
    (["*"], ["keychain-group-wildcard"]), (["$(TeamIdentifierPrefix)*"], ["keychain-group-wildcard"]), ([], []),
  ]) func checksKeychainGroups(groups: [String], rules: [String]) {
    #expect(Self.findings(Self.entitlements(groups)).map { String($0.prefix { $0 != ":" }) } == rules)
  }

  /// If nothing indicates that the app uses MSAL, a custom group causes at most a note.
  @Test(arguments: [
    "$(AppIdentifierPrefix)com.contoso.mail", "$(AppIdentifierPrefix)$(CFBundleIdentifier)",
    "$(AppIdentifierPrefix)Intune.contoso", "ABCDE12345.com.contoso.mail",
  ]) func notesACustomKeychainGroup(group: String) {
    let files = ["Mail.entitlements": Self.entitlements([group])]
    #expect(Self.findings(files) == [])
    #expect(Self.findings(files, notes: true) == ["keychain-group-missing: keychain-access-groups"])
  }

  @Test func ignoresEntitlementsOfAppsWithoutMSAL() {
    let groups = Self.entitlements(["$(AppIdentifierPrefix)com.contoso.mail"])
    let findings = ["keychain-group-missing: keychain-access-groups"]
    let other = ["a/Mail.entitlements": groups, "a/Info.plist": Self.plist(["contoso"])]
    #expect(Self.findings(other, notes: true) == [])
    let mail = Self.plist(["msal\(Self.id)"])
    #expect(Self.findings(["a/Mail.entitlements": groups, "a/Info.plist": mail]) == findings)
    let asking = Self.plist(nil, queries: ["msauthv3"])
    #expect(Self.findings(["a/Mail.entitlements": groups, "a/Info.plist": asking]).contains(findings[0]))
    let managed = Self.plist(nil, #""IntuneMAMSettings": {"AutoEnrollOnLaunch": true}"#)
    #expect(Self.findings(["a/Mail.entitlements": groups, "a/Info.plist": managed]) == findings)
    let plain = #"{"AppId": "\#(Self.id)", "TenantId": "contoso.com"}"#
    #expect(Self.findings(["a/Mail.entitlements": groups, "a/AuthSettings.json": plain]).contains(findings[0]))
    // The settings specify the group for MSAL.
    let settings = #"{"AppId": "\#(Self.id)", "KeychainGroup": "com.contoso.mail"}"#
    let files = ["a/Mail.entitlements": groups, "a/Info.plist": mail, "a/AuthSettings.json": settings]
    #expect(Self.findings(files) == [])
    let sharing = Self.entitlements(
      ["$(AppIdentifierPrefix)com.contoso.mail"], #""com.apple.security.application-groups": ["group.a"]"#)
    #expect(Self.findings(["a/Mail.entitlements": sharing]) == [])
    #expect(
      Self.findings(["a/Mail.entitlements": sharing, "a/AuthSettings.json": plain]).contains(findings[0]) == false)
    #expect(Self.findings(["a/Mail.entitlements": sharing, "a/Info.plist": mail]) == findings)
    #expect(Self.findings(["a.entitlements": #"{"com.apple.security.application-groups": ["group.a"]}"#]) == [])
  }

  @Test func requiresNetworkAccessInTheSandbox() {
    let sandbox = #""com.apple.security.app-sandbox": true"#
    let network = #""com.apple.security.network.client": true"#
    let shared = ["$(AppIdentifierPrefix)com.microsoft.identity.universalstorage"]
    let rule = "sandbox-network-client: com.apple.security.app-sandbox"
    #expect(Self.findings(Self.entitlements(shared, sandbox, network)) == [])
    #expect(Self.findings(Self.entitlements(shared, sandbox)) == [rule])
    #expect(Self.findings(Self.entitlements(shared, sandbox, #""com.apple.security.inherit": true"#)) == [])
    #expect(Self.findings(Self.entitlements(shared, sandbox.replacing("true", with: "false"))) == [])
    #expect(Self.findings(Self.entitlements(shared, sandbox, network.replacing("true", with: "false"))).count == 1)
    let (debug, release) = ("{\(sandbox), \(network)}", "{\(sandbox)}")
    #expect(Self.findings(["m/Release.entitlements": release]) == [])
    #expect(Self.findings(["m/Debug.entitlements": debug, "m/Release.entitlements": release]) == [rule])
    #expect(Self.findings(["m/Debug.entitlements": debug, "w/Release.entitlements": release]) == [])
  }
}
