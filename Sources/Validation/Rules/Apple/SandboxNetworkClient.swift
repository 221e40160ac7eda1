import AppRegistration
import DeclaredFields
import Diagnostics
import Documents
import IdentityPlatform

struct SandboxNetworkClient: Rule {
  let id = "sandbox-network-client"
  let severity = Diagnostic.Severity.error
  let words = "the app sandbox is on, and com.apple.security.network.client is not"
  let help = """
    A sandboxed Mac app opens connections only with com.apple.security.network.client. Without it no request reaches the service; a \
    debug build with entitlements of its own often hides that until the release.
    """
  let bad = RuleExample(
    "Release.entitlements",
    #"""
    <plist version="1.0">
    <dict>
      1️⃣<key>com.apple.security.app-sandbox</key>
      <true/>
      <key>keychain-access-groups</key>
      <array>
        <string>$(AppIdentifierPrefix)com.microsoft.identity.universalstorage</string>
      </array>
    </dict>
    </plist>
    """#)
  let good = RuleExample(
    "Release.entitlements",
    #"""
    <plist version="1.0">
    <dict>
      <key>com.apple.security.app-sandbox</key>
      <true/>
      <key>com.apple.security.network.client</key>
      <true/>
      <key>keychain-access-groups</key>
      <array>
        <string>$(AppIdentifierPrefix)com.microsoft.identity.universalstorage</string>
      </array>
    </dict>
    </plist>
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.isWhole, let root = file.node, let entitlements = file.entitlements,
      entitlements.isSandboxed?.value == true, entitlements.mayReachNetwork?.value != true,
      let sandbox = root.entry("com.apple.security.app-sandbox"),
      // A helper that inherits the sandbox names nothing else.
      root["com.apple.security.inherit"] == nil
    else { return [] }
    let sibling = Self.sibling(of: file, in: project.app(of: file))
    guard sibling != nil || Self.signsInWithMSAL(file) else { return [] }
    let denied = root["com.apple.security.network.client"]
    return [
      finding(
        "the app sandbox is on and com.apple.security.network.client is \(denied == nil ? "missing" : "off"): "
          + "this build cannot reach the network",
        help: denied == nil ? "add com.apple.security.network.client: true" : "make it true",
        at: (denied ?? sandbox.key).place,
        related: sibling.flatMap { sibling in
          sibling.node?.entry("com.apple.security.network.client").map {
            [.init("\(FilePath.name(of: sibling.name)) has it", at: $0.key.place)]
          }
        } ?? [],
        fix: fix(root, denied))
    ]
  }

  private func fix(_ root: Node, _ denied: Node?) -> Diagnostic.Fix? {
    let key = "com.apple.security.network.client"
    let edits =
      denied.map { TextEdits.replaceValue($0, with: .bool(true)) }
      ?? TextEdits.insertEntry(key, .bool(true), into: root, after: "com.apple.security.app-sandbox")
    return edits.map { .init(description: "let the app open connections", edits: $0) }
  }

  /// Entitlements in the same folder, of another configuration, that let the sandboxed app reach the network.
  private static func sibling(of file: ValidatedFile, in app: App) -> ValidatedFile? {
    app.files(.entitlements).first { other in
      other.name != file.name && FilePath.folder(of: other.name) == FilePath.folder(of: file.name)
        && other.entitlements?.isSandboxed?.value == true && other.entitlements?.mayReachNetwork?.value == true
    }
  }

  private static func signsInWithMSAL(_ file: ValidatedFile) -> Bool {
    let shared = ApplePlatform.allCases.map(\.defaultKeychainGroup)
    return file.keychainGroups.contains { shared.contains(String($0.name)) || $0.name.lowercased().contains("msal") }
  }
}
