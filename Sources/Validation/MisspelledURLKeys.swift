import AppRegistration
import Diagnostics
import Documents

/// Keys of an Info.plist that were typed for those of the URL schemes, where the right ones are absent.
struct MisspelledURLKeys {
  struct Found {
    /// The key as it stands there.
    let key: Node
    let list: Node
    /// What it should be: `CFBundleURLTypes`.
    let meant: String

    /// The schemes in it, whatever the keys around them; of very many the first.
    var schemes: [String] { Self.texts(in: list, depth: 0) }

    private static func texts(in node: Node, depth: Int) -> [String] {
      if let text = node.string { return [text] }
      guard depth < 3 else { return [] }
      let inner = Array(node.elements.prefix(100)) + node.entries.prefix(100).map(\.value)
      return inner.flatMap { texts(in: $0, depth: depth + 1) }
    }
  }

  private(set) var found: [Found] = []

  init(_ root: Node) {
    find(["CFBundleURLTypes"], in: root, where: Self.holdsURLTypes)
    find(["LSApplicationQueriesSchemes"], in: root, where: Self.holdsTexts)
    let types = root["CFBundleURLTypes"] ?? found.first { $0.meant == "CFBundleURLTypes" }?.list
    // No app has nearly as many types.
    for type in types.map({ Array($0.elements.prefix(100)) }) ?? [] {
      find(["CFBundleURLSchemes", "CFBundleURLName"], in: type, where: Self.holdsTexts)
    }
  }

  /// Whether such a key stands where this one should.
  func holds(_ meant: String) -> Bool { found.contains { $0.meant == meant } }

  /// The key that is near to the first name, and nearer to none that belongs there too.
  private mutating func find(_ names: [String], in mapping: Node, where fits: (Node) -> Bool) {
    guard let meant = names.first, mapping.kind == .mapping, mapping[meant] == nil else { return }
    for (key, value) in mapping.entries.prefix(Self.mostKeys) {
      guard let text = key.string, !Self.isVariant(text, of: meant) else { continue }
      if Suggestion.nearest(to: text, among: names) == meant, fits(value) {
        found.append(Found(key: key, list: value, meant: meant))
        return
      }
    }
  }

  /// No app's file holds nearly as many keys.
  private static let mostKeys = 1000

  /// Apple's own `CFBundleURLTypes~ipad` and `CFBundleURLTypes-iphoneos`.
  private static func isVariant(_ key: String, of meant: String) -> Bool {
    key.hasPrefix(meant) && ["~", "-"].contains(key.dropFirst(meant.count).first)
  }

  private static func holdsURLTypes(_ value: Node) -> Bool {
    value.kind == .array && value.elements.allSatisfy { $0.kind == .mapping }
  }

  private static func holdsTexts(_ value: Node) -> Bool {
    value.kind == .array && value.elements.allSatisfy { $0.kind == .string }
  }
}
