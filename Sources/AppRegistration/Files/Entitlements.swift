import Diagnostics
import Documents

/// An app's entitlements, limited to the keys that affect sign-in.
package struct Entitlements: Sendable {
  /// `keychain-access-groups`, or nil if the key is missing.
  package var keychainGroups: Positioned<[Positioned<String>]>?
  /// `com.apple.security.app-sandbox` (macOS only).
  package var isSandboxed: Positioned<Bool>?
  /// `com.apple.security.network.client`.
  package var mayReachNetwork: Positioned<Bool>?

  package init() {}

  /// The maximum number of groups to read.
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

  /// Unknown keys are ignored, because Apple defines many other keys.
  package static let fields = Fields<Entitlements>(
    "entitlements", unknownKeys: .foreign,
    [
      Field(
        "keychain-access-groups", groups.located, into: { $0.keychainGroups = $1 },
        "keychain groups that the app shares"),
      Field(
        "com.apple.security.app-sandbox", Codec<Bool>.bool.located, into: { $0.isSandboxed = $1 },
        "whether the app runs in the macOS app sandbox"),
      Field(
        "com.apple.security.network.client", Codec<Bool>.bool.located, into: { $0.mayReachNetwork = $1 },
        "whether a sandboxed app can open connections"),
    ], others: { _, _, _, _ in true })

  /// Reads the entitlements that affect sign-in.
  package static func read(_ root: Node, _ problems: inout DiagnosticCollector) -> Entitlements {
    var entitlements = Entitlements()
    _ = fields.read(root, into: &entitlements, &problems)
    return entitlements
  }
}
