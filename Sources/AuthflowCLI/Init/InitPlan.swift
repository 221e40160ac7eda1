import ArgumentParser
import Diagnostics
import Documents
import Effects
import IdentityPlatform
import Validation

/// The values of `authflow init`, and the files that the command generates from them.
struct InitPlan: Sendable {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case plist, yaml, json
  }

  var clientID: String
  var authority: String
  /// The authority that was detected in the app's files.
  var detectedAuthority: Authority?
  var platform: ApplePlatform
  var bundleID: String
  var scopes: [String]
  var format = Format.plist
  /// The path of existing settings that the workflow uses, relative to the folder.
  var existingSettings: String?

  /// A plan with valid sample values, used to validate a single value.
  static let sample = InitPlan(
    clientID: sampleClientID, authority: WellKnown.defaultAuthority, platform: .iOS, bundleID: "com.contoso.app",
    scopes: ["User.Read"])

  /// The client ID of the shipped workflows. The emulator accepts it, but the live service does not.
  static let sampleClientID = "6731de76-14a6-49ae-97bc-6eba6914391e"

  var settingsName: String { existingSettings ?? "AuthSettings.\(format.rawValue)" }
  static let workflowName = "Workflows/me.yaml"
  static let fragmentName = "AuthSettings-Info.plist.fragment"

  /// The files to write, with their paths relative to the folder.
  var files: [(name: String, text: String)] {
    let newSettings = existingSettings == nil ? [(settingsName, settings)] : []
    return newSettings + [(Self.workflowName, workflow), (Self.fragmentName, fragment)]
  }

  /// The errors and warnings in the generated files.
  var findings: [Diagnostic] {
    let files = [
      NamedFile(name: settingsName, bytes: Array(settings.utf8), root: ""),
      NamedFile(name: Self.workflowName, bytes: Array(workflow.utf8), root: ""),
    ]
    let texts = [settingsName: settings, Self.workflowName: workflow]
    let validator = ProjectValidator { path, options in
      guard let text = texts[path] else {
        return ReadResult(
          document: nil,
          diagnostics: [Diagnostic(.error, rule: "unreadable-file", "no such file: \(path)", at: .file(path))])
      }
      return DocumentReader.read(Array(text.utf8), named: path, options: options)
    }
    return validator.validate(files).diagnostics.filter { $0.severity != .note }
  }

  // MARK: Settings

  private var kind: Authority.Kind {
    if let kind = customHostKind { return kind }
    if Authority.hasB2CHost(URLReference(valid: authority)?.host ?? "") { return .b2c }
    return (try? Authority(parsing: authority))?.kind ?? .aad
  }

  /// The host of the authority if it is a custom domain, or nil otherwise. The emulator does not serve custom domains.
  var customHost: String? { customHostKind == nil ? nil : URLReference(valid: authority)?.host }

  /// The authority type if the host is a custom domain, or nil otherwise. A custom host name does not imply the type.
  private var customHostKind: Authority.Kind? {
    guard let parts = URLReference(valid: authority), let host = parts.host, !Authority.hasB2CHost(host),
      !Authority.hasCIAMHost(host), Cloud.containing(host: host) == nil
    else { return nil }
    if let detected = detectedAuthority, detected.url == authority { return detected.kind }
    return parts.segments.last?.lowercased().hasPrefix("b2c_1") == true ? .b2c : nil
  }

  private var entries: JSON {
    var entries: JSON = ["AppId": .string(clientID), "GraphScopes": .array(scopes.map { .string($0) })]
    entries["Authority"] = .string(authority)
    if let customHostKind { entries["AuthorityType"] = .string(customHostKind.rawValue) }
    if kind == .b2c || customHostKind != nil { entries["KnownAuthorities"] = [.string(authority)] }
    entries["Platform"] = .string(platform.rawValue)
    entries["BundleId"] = .string(bundleID)
    return entries
  }

  private static let introduction =
    "Values from the app registration; MSAL derives the redirect URI from the bundle ID: msauth.<bundle ID>://auth"

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

  /// Whether users can consent to the scopes in the settings, and a token with these scopes can read `/me`.
  private var canReadMe: Bool {
    let permissions = scopes.map { scope in
      ScopeRules.isGraph(scope) ? GraphPermission.named(ScopeRules.permission(of: scope)) : nil
    }
    return permissions.allSatisfy { $0?.needsAdmin == false } && permissions.contains { $0?.name == "User.Read" }
  }

  /// The settings path as a YAML scalar.
  private var settingsReference: String {
    let path = "../\(settingsName)"
    let isPlain = path.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "./_-".contains($0)) }
    return isPlain ? path : JSON.string(path).text()
  }

  private var isForPersonalAccounts: Bool { authority.hasSuffix("/consumers") }

  var workflow: String {
    var text = """
      # Find the signed-in account, get a token silently or with a sign-in page, and read the user's profile.
      authflow: 1
      name: Read my profile
      settings: \(settingsReference)

      """
    if isForPersonalAccounts {
      text += "# Only personal accounts, such as this emulator account, can sign in.\nuser: pat@outlook.com\n"
    }
    text += "steps:\n  - loadAccount\n"
    guard kind != .b2c else { return text + "  - silent\n  - interactive-fallback\n" }
    // `/me` requires User.Read.
    let scopes = canReadMe ? "" : ": { scopes: [User.Read] }"
    return text + "  - silent\(scopes)\n  - interactive-fallback\(scopes)\n  - callGraph: /me\n"
  }

  // MARK: The fragment

  var fragment: String {
    var text = """
      <!-- Add to Info.plist, inside the outermost <dict>: sign-in redirects to the app with this scheme. In the portal, add
           msauth.\(bundleID)://auth as a redirect URI for the platform iOS / macOS. -->
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
        <!-- MSAL requires both to detect a broker, and otherwise fails to create the application object. -->
        <key>LSApplicationQueriesSchemes</key>
        <array>
        \t<string>msauthv2</string>
        \t<string>msauthv3</string>
        </array>

        """
    }
    text += """

      <!-- Add to the app's .entitlements: the keychain group in which MSAL stores tokens. -->
      <key>keychain-access-groups</key>
      <array>
      \t<string>$(AppIdentifierPrefix)\(platform.defaultKeychainGroup)</string>
      </array>

      """
    if platform == .macOS {
      text += """
        <!-- Sandboxed Mac apps require this entitlement for network access. -->
        <key>com.apple.security.network.client</key>
        <true/>

        """
    }
    return text
  }
}
