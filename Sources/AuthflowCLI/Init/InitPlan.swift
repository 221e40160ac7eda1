import Diagnostics
import Documents
import IdentityPlatform
import Validation

/// The answers, and the files that are made of them.
struct InitPlan: Sendable {
  enum Format: String, Sendable, CaseIterable {
    case plist, yaml, json
  }

  var clientID: String
  var authority: String
  /// The authority that the app's files name.
  var foundAuthority: Authority?
  var platform: ApplePlatform
  var bundleID: String
  var scopes: [String]
  var format = Format.plist
  /// The settings file that the project already has, below the folder: the workflow uses it.
  var existingSettings: String?

  /// An app that is registered nowhere, to try one answer with good others around it.
  static let trial = InitPlan(
    clientID: embeddedClientID, authority: WellKnown.defaultAuthority, platform: .iOS, bundleID: "com.contoso.app",
    scopes: ["User.Read"])

  /// The app of the shipped workflows; the embedded platform lets any in, the real service does not know it.
  static let embeddedClientID = "6731de76-14a6-49ae-97bc-6eba6914391e"

  var settingsName: String { existingSettings ?? "AuthSettings.\(format.rawValue)" }
  static let workflowName = "Workflows/me.yaml"
  static let fragmentName = "AuthSettings-Info.plist.fragment"

  /// Each file with its path below the folder.
  var files: [(name: String, text: String)] {
    let own = existingSettings == nil ? [(settingsName, settings)] : []
    return own + [(Self.workflowName, workflow), (Self.fragmentName, fragment)]
  }

  /// What validating the files finds, but for notes.
  var findings: [Diagnostic] {
    let named = [
      NamedFile(name: settingsName, bytes: Array(settings.utf8), root: ""),
      NamedFile(name: Self.workflowName, bytes: Array(workflow.utf8), root: ""),
    ]
    let texts = [settingsName: settings, Self.workflowName: workflow]
    let validator = ProjectValidator { path, options in
      guard let text = texts[path] else {
        return ReadResult(
          document: nil,
          diagnostics: [Diagnostic(.error, rule: "unreadable-file", "\(path) is not there", at: .file(path))])
      }
      return DocumentReader.read(Array(text.utf8), named: path, options: options)
    }
    return validator.validate(named).diagnostics.filter { $0.severity != .note }
  }

  // MARK: Settings

  private var kind: Authority.Kind {
    if let kind = unseenKind { return kind }
    if Authority.hasB2CHost(URLParts(authority)?.host ?? "") { return .b2c }
    return (try? Authority(parsing: authority))?.kind ?? .aad
  }

  /// The authority's host, where it is one of the app's own; the embedded platform has Microsoft's only.
  var ownHost: String? { unseenKind == nil ? nil : URLParts(authority)?.host }

  /// The kind of an authority on a host of one's own, which does not show it.
  private var unseenKind: Authority.Kind? {
    guard let parts = URLParts(authority), let host = parts.host, !Authority.hasB2CHost(host),
      !Authority.hasCIAMHost(host), Cloud.containing(host: host) == nil
    else { return nil }
    if let found = foundAuthority, found.url == authority { return found.kind }
    return parts.segments.last?.lowercased().hasPrefix("b2c_1") == true ? .b2c : nil
  }

  private var entries: JSON {
    var entries: JSON = ["AppId": .string(clientID), "GraphScopes": .array(scopes.map { .string($0) })]
    entries["Authority"] = .string(authority)
    if let unseenKind { entries["AuthorityType"] = .string(unseenKind.rawValue) }
    if kind == .b2c || unseenKind != nil { entries["KnownAuthorities"] = [.string(authority)] }
    entries["Platform"] = .string(platform.rawValue)
    entries["BundleId"] = .string(bundleID)
    return entries
  }

  private static let introduction =
    "What the app registration says; MSAL makes its redirect URI of the bundle id: msauth.<bundle id>://auth"

  var settings: String {
    let json = entries.text(pretty: true)
    guard format != .json else { return json + "\n" }
    guard let document = DocumentReader.read(Array(json.utf8), named: settingsName).document,
      let bytes = try? DocumentWriter.write(document, as: format == .yaml ? .yaml : .xmlPropertyList)
    else { return json + "\n" }
    let text = String(decoding: bytes, as: UTF8.self)
    if format == .yaml { return "# \(Self.introduction)\n\(text)" }
    return text.replacing("<dict>\n", with: "<dict>\n\t<!-- \(Self.introduction) -->\n", maxReplacements: 1)
  }

  // MARK: The workflow

  /// Whether a token for the settings' own scopes reads /me, and anybody may consent to them.
  private var canReadMe: Bool {
    let permissions = scopes.map { scope in
      ScopeRules.isGraph(scope) ? GraphPermission.named(ScopeRules.permission(of: scope)) : nil
    }
    return permissions.allSatisfy { $0?.needsAdmin == false } && permissions.contains { $0?.name == "User.Read" }
  }

  /// The path of the settings as YAML text.
  private var settingsReference: String {
    let path = "../\(settingsName)"
    let isPlain = path.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "./_-".contains($0)) }
    return isPlain ? path : JSON.string(path).text()
  }

  private var isForPersonalAccounts: Bool { authority.hasSuffix("/consumers") }

  var workflow: String {
    var text = """
      # Who am I? The account is looked for, a token taken silently where that can be done, and interactively where not.
      authflow: 1
      name: Read my profile
      settings: \(settingsReference)

      """
    if isForPersonalAccounts {
      text += "# Only personal accounts may sign in; this one lives on the embedded platform.\nuser: pat@outlook.com\n"
    }
    text += "steps:\n  - loadAccount\n"
    guard kind != .b2c else { return text + "  - silent\n  - interactive-fallback\n" }
    // /me needs User.Read, whatever else the app asks for.
    let own = canReadMe ? "" : ": { scopes: [User.Read] }"
    return text + "  - silent\(own)\n  - interactive-fallback\(own)\n  - callGraph: /me\n"
  }

  // MARK: The fragment

  var fragment: String {
    var text = """
      <!-- Into Info.plist, inside the outermost <dict>: the answer to a sign-in opens the app by this scheme. Register
           msauth.\(bundleID)://auth as a redirect URI of the platform iOS / macOS in the portal, too. -->
      <key>CFBundleURLTypes</key>
      <array>
      \t<dict>
      \t\t<key>CFBundleURLSchemes</key>
      \t\t<array>
      \t\t\t<string>msauth.\(bundleID)</string>
      \t\t</array>
      \t</dict>
      </array>

      """
    if platform == .iOS {
      text += """
        <!-- Both, or MSAL makes no application object: it asks by them whether a broker is installed. -->
        <key>LSApplicationQueriesSchemes</key>
        <array>
        \t<string>msauthv2</string>
        \t<string>msauthv3</string>
        </array>

        """
    }
    text += """

      <!-- Into the app's .entitlements: the keychain group that MSAL keeps its tokens in. -->
      <key>keychain-access-groups</key>
      <array>
      \t<string>$(AppIdentifierPrefix)\(platform.defaultKeychainGroup)</string>
      </array>

      """
    if platform == .macOS {
      text += """
        <!-- A Mac app in the sandbox reaches the network only with this. -->
        <key>com.apple.security.network.client</key>
        <true/>

        """
    }
    return text
  }
}
