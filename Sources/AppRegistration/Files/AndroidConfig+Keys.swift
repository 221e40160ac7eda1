import Documents

extension AndroidConfig {
  /// A mapping in the configuration with its own set of keys.
  package enum Level: String, Sendable, CaseIterable {
    case root, authority, audience, logging, http

    /// The location of the mapping, for use in messages.
    package var location: String {
      switch self {
      case .root: "at the top level"
      case .authority: "in an `authorities` entry"
      case .audience: "in an authority's `audience`"
      case .logging: "in `logging`"
      case .http: "in `http`"
      }
    }

    /// The keys that MSAL reads in the mapping.
    package var keys: [String] {
      switch self {
      case .root: AndroidConfig.fields.fields.map(\.key)
      case .authority: AndroidConfig.authorityFields(.text(filling: .none)).fields.map(\.key)
      case .audience: AndroidConfig.audienceFields(.text(filling: .none)).fields.map(\.key)
      case .logging: ["pii_enabled", "log_level", "logcat_enabled"]
      case .http: ["connect_timeout", "read_timeout"]
      }
    }

    /// Returns the levels whose mappings can contain the given key.
    package static func containing(_ key: String) -> [Level] { allCases.filter { $0.keys.contains(key) } }
  }

  /// Returns all mappings of a configuration with their levels, for at most 200 authorities.
  package static func levels(of root: Node) -> [(level: Level, mapping: Node)] {
    var levels: [(Level, Node)] = [(.root, root)]
    for entry in root["authorities"].map({ Array($0.elements.prefix(200)) }) ?? [] {
      levels.append((.authority, entry))
      if let audience = entry["audience"] { levels.append((.audience, audience)) }
    }
    if let logging = root["logging"] { levels.append((.logging, logging)) }
    if let http = root["http"] { levels.append((.http, http)) }
    return levels.filter { $0.1.kind == .mapping }
  }
}
