import Documents
import OrderedCollections
import RunTrace

/// A cache entry that was written or deleted.
package struct CacheChange: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    case added, changed, deleted
  }

  package var kind: Kind
  package var section: CacheSectionName
  package var key: String
  /// The new entry or the deleted entry.
  package var entry: JSON

  package init(kind: Kind, section: CacheSectionName, key: String, entry: JSON) {
    self.kind = kind
    self.section = section
    self.key = key
    self.entry = entry
  }

  /// The change as recorded in a trace. Masks the secret and all strings in fields that are not in the schema, because
  /// the file can contain other programs' secrets.
  package var traceValue: TraceValue {
    .fields([
      "change": .value(.string(kind.rawValue)), "section": .value(.string(section.rawValue)),
      "key": .value(.string(key)), "entry": .fields(masked(entry.object ?? [:])),
    ])
  }

  /// The entry as recorded in a trace, without the kind of change.
  private var entryValue: TraceValue {
    .fields([
      "section": .value(.string(section.rawValue)), "key": .value(.string(key)),
      "entry": .fields(masked(entry.object ?? [:])),
    ])
  }

  /// Returns all cache entries as recorded in a trace.
  package static func traceEntries(of contents: CacheContents) -> [TraceValue] {
    var entries: [TraceValue] = []
    for section in CacheSectionName.allCases {
      contents.forEachEntry(section) { key, entry in
        entries.append(CacheChange(kind: .added, section: section, key: key, entry: entry).entryValue)
      }
    }
    return entries
  }

  private func masked(_ members: OrderedDictionary<String, JSON>) -> OrderedDictionary<String, TraceValue> {
    var masked: OrderedDictionary<String, TraceValue> = [:]
    for (name, value) in members { masked[name] = self.masked(name, value) }
    return masked
  }

  private func masked(_ name: String, _ value: JSON) -> TraceValue {
    if name == "secret", !value.isNull { return .secret(Secret(value.string ?? value.text(), kind: secretKind)) }
    return switch value {
    case .string(let text) where !text.isEmpty && !Self.unmaskedFields.contains(name):
      .secret(Secret(text, kind: .named))
    case .array(let elements): .list(elements.map { masked(name, $0) })
    // The keys in this map are URLs, so they are not masked.
    case .object where section == .accountMetadata && name == "athority_map": .value(value)
    case .object(let members): .fields(masked(members))
    default: .value(value)
    }
  }

  /// The schema's fields that do not contain secrets.
  package static let unmaskedFields: Set<String> = [
    // Credentials.
    "client_id", "credential_type", "target", "realm", "environment", "home_account_id", "expires_on",
    "extended_expires_on", "ext_expires_on", "expires_in", "refresh_on", "cached_at", "family_id", "token_type", "kid",
    "key_id", "ext_cache_key", "requested_claims", "redirect_uri", "application_cache_identifier", "enrollment_id",
    "bound_device_id", "spe_info", "last_modification_time", "last_modification_app", "recovery_attempted_at",
    "recovery_attempt_count", "last_recovery_attempt_failed",
    // Accounts.
    "authority_type", "account_source", "local_account_id", "alternative_account_id", "username", "name", "given_name",
    "middle_name", "family_name", "client_info",
    // Account metadata.
    "sign_in_state", "principal_home_account_id", "principal_username", "principal_account_environment",
  ]

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
  /// Records the changes to the cache, if there are any.
  package func recordCacheWritten(_ changes: [CacheChange], reason: String) {
    guard !changes.isEmpty else { return }
    record(.cacheWritten, ["reason": .value(.string(reason)), "changes": .list(changes.map(\.traceValue))])
  }
}
