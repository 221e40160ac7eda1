import Documents
import OrderedCollections
import TokenCache

/// The cache formats of other MSAL libraries.
enum ForeignCacheFormat {
  /// Converts a cache file, a keychain item, or a list of files and items to sections of the unified schema. Returns
  /// nil for other JSON.
  static func sections(of json: JSON) -> JSON.Members? {
    if let records = json.array {
      let converted = records.compactMap { sections(of: $0) }
      guard !records.isEmpty, converted.count == records.count else { return nil }
      return converted.reduce([:], merged)
    }
    guard let members = json.object else { return nil }
    // Import unknown sections too. Ignore a known section that is not an object, because it has no entries.
    let imported = members.filter { CacheSectionName(rawValue: $0.key) == nil || $0.value.object != nil }
    if imported.contains(where: { CacheSectionName(rawValue: $0.key) != nil }) { return imported }
    return record(members)
  }

  /// Converts a keychain item of MSAL for Apple platforms. The fields of the item determine the cache key.
  private static func record(_ members: JSON.Members) -> JSON.Members? {
    guard members["home_account_id"]?.string?.isEmpty == false, members["environment"]?.string?.isEmpty == false else {
      return nil
    }
    let (section, key): (CacheSectionName, String)
    switch members["credential_type"]?.string?.lowercased() {
    case "accesstoken": (section, key) = (.accessToken, AccessTokenRecord(fields: members).key)
    case "refreshtoken", "familyrefreshtoken":
      (section, key) = (.refreshToken, RefreshTokenRecord(fields: members).key)
    case "idtoken": (section, key) = (.idToken, IDTokenRecord(fields: members).key)
    case nil where members["username"] != nil || members["local_account_id"] != nil:
      (section, key) = (.account, AccountRecord(fields: members).key)
    default: return nil
    }
    return [section.rawValue: .object([key: .object(members)])]
  }

  private static func merged(_ first: JSON.Members, _ second: JSON.Members) -> JSON.Members {
    first.merging(second) { old, new in
      guard let oldEntries = old.object, let newEntries = new.object else { return old }
      return .object(oldEntries.merging(newEntries) { $1 })
    }
  }
}
