import Documents

extension AndroidConfig {
  /// A mapping of the configuration that has keys of its own.
  package enum Level: String, Sendable, CaseIterable {
    case root, authority, audience, logging, http

    /// The mapping as messages name it, after a verb.
    package var words: String {
      switch self {
      case .root: "at the top level"
      case .authority: "in an entry of `authorities`"
      case .audience: "in `audience` of an authority"
      case .logging: "in `logging`"
      case .http: "in `http`"
      }
    }

    /// The keys that MSAL reads there.
    package var keys: [String] {
      switch self {
      case .root: AndroidConfig.fields.fields.map(\.key)
      case .authority: AndroidConfig.authorityFields(.text(filling: .none)).fields.map(\.key)
      case .audience: AndroidConfig.audienceFields(.text(filling: .none)).fields.map(\.key)
      case .logging: ["pii_enabled", "log_level", "logcat_enabled"]
      case .http: ["connect_timeout", "read_timeout"]
      }
    }

    /// Levels whose mappings have a key.
    package static func having(_ key: String) -> [Level] { allCases.filter { $0.keys.contains(key) } }
  }

  /// Every mapping of a configuration with its level; of very many authorities the first.
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
