import Diagnostics
import Documents
import OrderedCollections
import TokenCache

/// Sections of a cache that the schema does not define, such as the data of other programs.
enum UnknownSections {
  /// Returns the names of the unknown sections in a cache.
  static func names(in members: JSON.Members) -> [String] {
    members.keys.filter { CacheSectionName(rawValue: $0) == nil }
  }

  /// Describes the sections, for example `2 unknown sections: PrimaryRefreshToken, Other`.
  static func description(_ names: [String]) -> String {
    let list = names.map { CaretFrame.visible($0) }.joined(separator: ", ")
    return "\(names.count.counting("unknown section")): \(list)"
  }
}
