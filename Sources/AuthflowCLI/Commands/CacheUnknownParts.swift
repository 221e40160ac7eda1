import Diagnostics
import Documents
import OrderedCollections
import TokenCache

/// Parts of a cache that are none of the schema's sections: other programs keep in them what they need.
enum UnknownSections {
  /// Their names, in a cache's JSON.
  static func names(in members: JSON.Members) -> [String] {
    members.keys.filter { CacheSectionName(rawValue: $0) == nil }
  }

  /// `2 parts that authflow does not know: PrimaryRefreshToken, Other`
  static func words(_ names: [String]) -> String {
    let list = names.map { CaretFrame.visible($0) }.joined(separator: ", ")
    return "\(names.count) part\(names.count == 1 ? "" : "s") that authflow does not know: \(list)"
  }

  /// The same of what a clearing leaves, or a cache holds besides.
  static func leftWords(_ names: [String]) -> String {
    let list = names.map { CaretFrame.visible($0) }.joined(separator: ", ")
    return names.count == 1
      ? "1 part that authflow does not know is left: \(list)"
      : "\(names.count) parts that authflow does not know are left: \(list)"
  }
}
