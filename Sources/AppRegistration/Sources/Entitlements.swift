import DeclaredFields
import Diagnostics
import Documents

/// What an app's entitlements say about signing in.
package struct Entitlements: Sendable {
  /// `keychain-access-groups`; nil where the key is absent.
  package var keychainGroups: Located<[Located<String>]>?
  /// `com.apple.security.app-sandbox`, which only macOS knows.
  package var isSandboxed: Located<Bool>?
  /// `com.apple.security.network.client`.
  package var mayReachNetwork: Located<Bool>?

  package init() {}

  /// All other keys are taken in silence: they are Apple's.
  static let fields = Fields<Entitlements>(
    "entitlements", unknownKeys: .foreign,
    [
      Field(
        "keychain-access-groups", Codec<[Located<String>]>.list(of: Codec<String>.string.located).located,
        into: \.keychainGroups, "the keychain groups that the app shares"),
      Field(
        "com.apple.security.app-sandbox", Codec<Bool>.bool.located, into: \.isSandboxed, "the app sandbox of macOS"),
      Field(
        "com.apple.security.network.client", Codec<Bool>.bool.located, into: \.mayReachNetwork,
        "whether a sandboxed app may open connections"),
    ], others: { _, _, _, _ in true })

  /// Reads what concerns signing in; everything else in the file is Apple's.
  package static func read(_ root: Node, _ problems: inout Problems) -> Entitlements {
    var entitlements = Entitlements()
    _ = fields.read(root, into: &entitlements, &problems)
    return entitlements
  }
}
