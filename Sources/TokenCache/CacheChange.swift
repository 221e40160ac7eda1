import Documents
import OrderedCollections
import RunTrace

/// One entry that was written or deleted.
package struct CacheChange: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    case added, changed, deleted
  }

  package var kind: Kind
  package var section: CacheSectionName
  package var key: String
  /// The entry as it is now, or was before it was deleted.
  package var entry: JSON

  package init(kind: Kind, section: CacheSectionName, key: String, entry: JSON) {
    self.kind = kind
    self.section = section
    self.key = key
    self.entry = entry
  }

  /// What a trace shows: the entry's fields, its secret masked.
  package var traceValue: TraceValue {
    var fields: OrderedDictionary<String, TraceValue> = [:]
    for (name, value) in entry.object ?? [:] {
      fields[name] =
        if name == "secret", let text = value.string { .secret(Secret(text, kind: secretKind)) } else { .value(value) }
    }
    return .fields([
      "change": .value(.string(kind.rawValue)), "section": .value(.string(section.rawValue)),
      "key": .value(.string(key)), "entry": .fields(fields),
    ])
  }

  private var secretKind: Secret.Kind {
    switch section {
    case .accessToken: .accessToken
    case .refreshToken: .refreshToken
    case .idToken: .idToken
    default: .named
    }
  }
}

extension TraceRecorder {
  /// Tells what was written to the cache and deleted from it; nothing where nothing changed.
  package func recordCacheWritten(_ changes: [CacheChange], why: String) {
    guard !changes.isEmpty else { return }
    record(.cacheWritten, ["why": .value(.string(why)), "changes": .list(changes.map(\.traceValue))])
  }
}
