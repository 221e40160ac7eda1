import AppRegistration
import Diagnostics
import Documents

/// The misspelled keys for URL schemes in an Info.plist that lacks the correct keys.
struct MisspelledURLKeys {
  struct Misspelling {
    /// The misspelled key.
    let key: Node
    let list: Node
    /// The correct key, such as `CFBundleURLTypes`.
    let meant: String

    /// The first schemes under the key, at any nesting level.
    var schemes: [String] { Self.strings(in: list, depth: 0) }

    private static func strings(in node: Node, depth: Int) -> [String] {
      if let text = node.string { return [text] }
      guard depth < 3 else { return [] }
      let inner = Array(node.elements.prefix(100)) + node.entries.prefix(100).map(\.value)
      return inner.flatMap { strings(in: $0, depth: depth + 1) }
    }
  }

  private(set) var misspellings: [Misspelling] = []

  init(_ root: Node) {
    find(["CFBundleURLTypes"], in: root, where: Self.isURLTypeList)
    find(["LSApplicationQueriesSchemes"], in: root, where: Self.isStringList)
    let types = root["CFBundleURLTypes"] ?? misspellings.first { $0.meant == "CFBundleURLTypes" }?.list
    // Real apps have far fewer URL types.
    for type in types.map({ Array($0.elements.prefix(100)) }) ?? [] {
      find(["CFBundleURLSchemes", "CFBundleURLName"], in: type, where: Self.isStringList)
    }
  }

  /// Returns whether the Info.plist contains a misspelling of the given key.
  func contains(_ meant: String) -> Bool { misspellings.contains { $0.meant == meant } }

  /// Finds a key that resembles the first of the given names more than the other names.
  private mutating func find(_ names: [String], in mapping: Node, where isValid: (Node) -> Bool) {
    guard let meant = names.first, mapping.kind == .mapping, mapping[meant] == nil else { return }
    for (key, value) in mapping.entries.prefix(Self.mostKeys) {
      guard let text = key.string, !Self.isVariant(text, of: meant) else { continue }
      if Suggestion.nearest(to: text, among: names) == meant, isValid(value) {
        misspellings.append(Misspelling(key: key, list: value, meant: meant))
        return
      }
    }
  }

  /// The maximum number of keys to search. Real files have far fewer.
  private static let mostKeys = 1000

  /// Returns whether a key is one of Apple's platform variants, such as `CFBundleURLTypes~ipad` or
  /// `CFBundleURLTypes-iphoneos`.
  private static func isVariant(_ key: String, of meant: String) -> Bool {
    key.hasPrefix(meant) && ["~", "-"].contains(key.dropFirst(meant.count).first)
  }

  private static func isURLTypeList(_ value: Node) -> Bool {
    value.kind == .array && value.elements.allSatisfy { $0.kind == .mapping }
  }

  private static func isStringList(_ value: Node) -> Bool {
    value.kind == .array && value.elements.allSatisfy { $0.kind == .string }
  }
}
