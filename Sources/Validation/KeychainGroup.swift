import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

/// An entry of `keychain-access-groups`, in its parts.
struct KeychainGroup {
  enum Prefix {
    /// `$(AppIdentifierPrefix)`, or another reference.
    case reference(Substring)
    /// A team's id, written out: `ABCDE12345.`
    case team(Substring)
    case none
  }

  let node: Node
  let text: String
  let prefix: Prefix
  /// What follows the prefix, and a dot that should not be there.
  let name: Substring
  let hasStrayDot: Bool

  init(_ node: Node, _ text: String) {
    self.node = node
    self.text = text
    let (prefix, rest) = Self.split(text)
    self.prefix = prefix
    if case .reference(let reference) = prefix, Self.endsWithDot(reference), rest.hasPrefix(".") {
      hasStrayDot = true
      name = rest.dropFirst()
    } else {
      hasStrayDot = false
      // `$(DEVELOPMENT_TEAM).` brings no dot of its own.
      if case .reference = prefix, rest.hasPrefix(".") { name = rest.dropFirst() } else { name = rest }
    }
  }

  /// Whether it is an app group's name, which is another entitlement.
  var isAppGroup: Bool { text.hasPrefix("group.") }

  /// The smart cards' group, which has no prefix.
  var isApples: Bool { text.hasPrefix("com.apple.") }

  var isWildcard: Bool { name.hasSuffix("*") }

  /// Whether a build setting gives the name, or all of it: `$(AppIdentifierPrefix)$(SHARED_GROUP)`, `$(KEYCHAIN_GROUPS)`.
  ///
  /// The app's own bundle id is no such setting.
  var mayBeAnyGroup: Bool {
    let isWhole = if case .reference(let reference) = prefix { !Self.endsWithDot(reference) } else { false }
    let named = isWhole && name.isEmpty ? text[...] : name
    guard let start = named.firstRange(of: "$(") ?? named.firstRange(of: "${") else { return false }
    let reference = named[start.upperBound...].prefix { $0 != ")" && $0 != "}" && $0 != ":" }
    return !["CFBundleIdentifier", "PRODUCT_BUNDLE_IDENTIFIER"].contains(String(reference))
  }

  var lacksPrefix: Bool {
    if case .none = prefix { return !isAppGroup && !isApples && !text.hasPrefix("*") && !text.isEmpty }
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

  /// Both of Apple's prefixes end with a dot.
  private static func endsWithDot(_ reference: Substring) -> Bool {
    ["appidentifierprefix", "teamidentifierprefix"].contains(reference.lowercased())
  }
}

extension ValidatedFile {
  /// The list of keychain groups with its key; nil where there is none.
  var keychainList: (key: Node, list: Node)? {
    guard kind == .entitlements, let entry = node?.entry("keychain-access-groups"), entry.value.kind == .array else {
      return nil
    }
    return (entry.key, entry.value)
  }

  /// Of very many groups the first.
  var keychainGroups: [KeychainGroup] {
    guard let list = keychainList?.list else { return [] }
    return list.elements.prefix(Entitlements.mostGroups).compactMap { node in
      node.string.map { KeychainGroup(node, $0) }
    }
  }

  /// Whether entitlements hold keys that only macOS knows.
  var hasMacEntitlements: Bool {
    let prefixes = [
      "cs.", "network.", "files.", "device.", "personal-information.", "automation.", "app-sandbox", "print",
    ]
    return node?.entries.contains { key, _ in
      guard let key = key.string, key.hasPrefix("com.apple.security.") else {
        return key.string == "com.apple.developer.aps-environment"
      }
      let rest = key.dropFirst("com.apple.security.".count)
      return prefixes.contains(where: rest.hasPrefix)
    } ?? false
  }
}
