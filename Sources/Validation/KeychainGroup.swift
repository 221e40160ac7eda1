import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

/// An entry in `keychain-access-groups`, split into prefix and name.
struct KeychainGroup {
  enum Prefix {
    /// A reference, such as `$(AppIdentifierPrefix)`.
    case reference(Substring)
    /// A team ID, such as `ABCDE12345.`
    case team(Substring)
    case none
  }

  let node: Node
  let text: String
  let prefix: Prefix
  /// The text after the prefix, without an extra dot.
  let name: Substring
  let hasStrayDot: Bool

  init(_ node: Node, _ text: String) {
    self.node = node
    self.text = text
    let (prefix, suffix) = Self.split(text)
    self.prefix = prefix
    if case .reference(let reference) = prefix, Self.endsWithDot(reference), suffix.hasPrefix(".") {
      hasStrayDot = true
      name = suffix.dropFirst()
    } else {
      hasStrayDot = false
      // `$(DEVELOPMENT_TEAM)` does not end with a dot.
      if case .reference = prefix, suffix.hasPrefix(".") { name = suffix.dropFirst() } else { name = suffix }
    }
  }

  /// Whether the entry is an app group, which must be listed in a different entitlement.
  var isAppGroup: Bool { text.hasPrefix("group.") }

  /// Whether the entry is an Apple group, such as the group for smart cards. Such a group has no prefix.
  var isApple: Bool { text.hasPrefix("com.apple.") }

  var isWildcard: Bool { name.hasSuffix("*") }

  /// Whether the name is a build setting other than the bundle ID, as in `$(AppIdentifierPrefix)$(SHARED_GROUP)` or
  /// `$(KEYCHAIN_GROUPS)`.
  var mayBeAnyGroup: Bool {
    let isReferenceOnly = if case .reference(let reference) = prefix { !Self.endsWithDot(reference) } else { false }
    let named = isReferenceOnly && name.isEmpty ? text[...] : name
    guard let start = named.firstRange(of: "$(") ?? named.firstRange(of: "${") else { return false }
    let reference = named[start.upperBound...].prefix { $0 != ")" && $0 != "}" && $0 != ":" }
    return !["CFBundleIdentifier", "PRODUCT_BUNDLE_IDENTIFIER"].contains(String(reference))
  }

  var lacksPrefix: Bool {
    if case .none = prefix { return !isAppGroup && !isApple && !text.hasPrefix("*") && !text.isEmpty }
    return false
  }

  private static func split(_ text: String) -> (Prefix, Substring) {
    for (open, close) in [("$(", ")"), ("${", "}")] as [(String, Character)] where text.hasPrefix(open) {
      guard let end = text.firstIndex(of: close) else { return (.none, text[...]) }
      return (.reference(text.dropFirst(2)[..<end]), text[text.index(after: end)...])
    }
    let team = text.prefix { $0 != "." }
    if team.count == 10, team.allSatisfy({ $0.isASCII && ($0.isNumber || $0.isUppercase) }), team.count < text.count {
      return (.team(team), text.dropFirst(11))
    }
    return (.none, text[...])
  }

  /// Returns whether a reference is one of Apple's prefixes. The prefixes expand to text that ends with a dot.
  private static func endsWithDot(_ reference: Substring) -> Bool {
    ["appidentifierprefix", "teamidentifierprefix"].contains(reference.lowercased())
  }
}

extension ValidatedFile {
  /// The list of keychain groups and its key, or nil if there is no such list.
  var keychainList: (key: Node, list: Node)? {
    guard kind == .entitlements, let entry = node?.entry("keychain-access-groups"), entry.value.kind == .array else {
      return nil
    }
    return (entry.key, entry.value)
  }

  /// The first `Entitlements.mostGroups` groups.
  var keychainGroups: [KeychainGroup] {
    guard let list = keychainList?.list else { return [] }
    return list.elements.prefix(Entitlements.mostGroups).compactMap { node in
      node.string.map { KeychainGroup(node, $0) }
    }
  }

  /// Whether the entitlements contain keys that only macOS supports.
  var hasMacEntitlements: Bool {
    let prefixes = [
      "cs.", "network.", "files.", "device.", "personal-information.", "automation.", "app-sandbox", "print",
    ]
    return node?.entries.contains { key, _ in
      guard let key = key.string, key.hasPrefix("com.apple.security.") else {
        return key.string == "com.apple.developer.aps-environment"
      }
      let entitlement = key.dropFirst("com.apple.security.".count)
      return prefixes.contains(where: entitlement.hasPrefix)
    } ?? false
  }
}
