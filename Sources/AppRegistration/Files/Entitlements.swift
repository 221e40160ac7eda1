import Diagnostics
import Documents

/// What an app's entitlements say about signing in.
package struct Entitlements: Sendable {
  /// `keychain-access-groups`; nil where the key is absent.
  package var keychainGroups: Positioned<[Positioned<String>]>?
  /// `com.apple.security.app-sandbox`, which only macOS knows.
  package var isSandboxed: Positioned<Bool>?
  /// `com.apple.security.network.client`.
  package var mayReachNetwork: Positioned<Bool>?

  package init() {}

  /// Of very many groups only so many are kept: no app has nearly as many, and each remembers where it stands.
  package static let mostGroups = 500

  private static let groups = Codec<[Positioned<String>]>(
    expecting: "a list", schema: Codec<[Positioned<String>]>.list(of: Codec<String>.string.located).schema()
  ) { node, problems in
    guard node.kind == .array else {
      problems.mismatch(node, expected: "a list")
      return nil
    }
    var groups: [Positioned<String>] = []
    for child in node.elements.prefix(mostGroups) {
      if let group = Codec<String>.string.located.read(child, &problems) { groups.append(group) }
    }
    return groups
  }

  /// All other keys are taken in silence: they are Apple's.
  static let fields = Fields<Entitlements>(
    "entitlements", unknownKeys: .foreign,
    [
      Field(
        "keychain-access-groups", groups.located, into: \.keychainGroups, "the keychain groups that the app shares"),
      Field(
        "com.apple.security.app-sandbox", Codec<Bool>.bool.located, into: \.isSandboxed, "the app sandbox of macOS"),
      Field(
        "com.apple.security.network.client", Codec<Bool>.bool.located, into: \.mayReachNetwork,
        "whether a sandboxed app may open connections"),
    ], others: { _, _, _, _ in true })

  /// Reads what concerns signing in; everything else in the file is Apple's.
  package static func read(_ root: Node, _ problems: inout DiagnosticCollector) -> Entitlements {
    var entitlements = Entitlements()
    _ = fields.read(root, into: &entitlements, &problems)
    return entitlements
  }
}
