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

  /// What a trace shows: the fields of the schema in clear, but for the secret. The file holds other programs' entries,
  /// too: what a field that the schema does not have is good for cannot be known, so its text is masked.
  package var traceValue: TraceValue {
    .fields([
      "change": .value(.string(kind.rawValue)), "section": .value(.string(section.rawValue)),
      "key": .value(.string(key)), "entry": .fields(shown(entry.object ?? [:])),
    ])
  }

  /// The entry as it is, without a change.
  private var heldValue: TraceValue {
    .fields([
      "section": .value(.string(section.rawValue)), "key": .value(.string(key)),
      "entry": .fields(shown(entry.object ?? [:])),
    ])
  }

  /// Every entry of a cache as a trace shows it.
  package static func held(in contents: CacheContents) -> [TraceValue] {
    var held: [TraceValue] = []
    for section in CacheSectionName.allCases {
      contents.forEachEntry(section) { key, entry in
        held.append(CacheChange(kind: .added, section: section, key: key, entry: entry).heldValue)
      }
    }
    return held
  }

  private func shown(_ members: OrderedDictionary<String, JSON>) -> OrderedDictionary<String, TraceValue> {
    var shown: OrderedDictionary<String, TraceValue> = [:]
    for (name, value) in members { shown[name] = self.shown(name, value) }
    return shown
  }

  private func shown(_ name: String, _ value: JSON) -> TraceValue {
    if name == "secret", !value.isNull { return .secret(Secret(value.string ?? value.text(), kind: secretKind)) }
    return switch value {
    case .string(let text) where !text.isEmpty && !Self.shownFields.contains(name): .secret(Secret(text, kind: .named))
    case .array(let elements): .list(elements.map { shown(name, $0) })
    // Its members' names are addresses.
    case .object where section == .accountMetadata && name == "athority_map": .value(value)
    case .object(let members): .fields(shown(members))
    default: .value(value)
    }
  }

  /// The fields of the schema that hold nothing that opens a door.
  package static let shownFields: Set<String> = [
    // Of credentials.
    "client_id", "credential_type", "target", "realm", "environment", "home_account_id", "expires_on",
    "extended_expires_on", "ext_expires_on", "expires_in", "refresh_on", "cached_at", "family_id", "token_type", "kid",
    "key_id", "ext_cache_key", "requested_claims", "redirect_uri", "application_cache_identifier", "enrollment_id",
    "bound_device_id", "spe_info", "last_modification_time", "last_modification_app", "recovery_attempted_at",
    "recovery_attempt_count", "last_recovery_attempt_failed",
    // Of accounts.
    "authority_type", "account_source", "local_account_id", "alternative_account_id", "username", "name", "given_name",
    "middle_name", "family_name", "client_info",
    // Of what clients know of accounts.
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
  /// Tells what was written to the cache and deleted from it; nothing where nothing changed.
  package func recordCacheWritten(_ changes: [CacheChange], reason: String) {
    guard !changes.isEmpty else { return }
    record(.cacheWritten, ["reason": .value(.string(reason)), "changes": .list(changes.map(\.traceValue))])
  }
}
