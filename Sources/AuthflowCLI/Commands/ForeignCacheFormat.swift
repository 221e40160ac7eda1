import Documents
import OrderedCollections
import TokenCache

/// The forms in which other MSALs hand over what they keep.
enum ForeignCacheFormat {
  /// The sections of the shared schema: of a cache file, of the JSON of a keychain item, of single records; nil where it is
  /// nothing of that kind.
  static func sections(of json: JSON) -> JSON.Members? {
    if let records = json.array {
      let all = records.compactMap { sections(of: $0) }
      guard !records.isEmpty, all.count == records.count else { return nil }
      return all.reduce(into: [:]) { merged, part in merged = united(merged, part) }
    }
    guard let members = json.object else { return nil }
    // Parts that are none of the schema's come along; a section that is no object holds nothing.
    let parts = members.filter { CacheSectionName(rawValue: $0.key) == nil || $0.value.object != nil }
    if parts.contains(where: { CacheSectionName(rawValue: $0.key) != nil }) { return parts }
    return record(members)
  }

  /// One record, as a keychain item of MSAL for Apple platforms holds it: its key is made from its fields.
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

  private static func united(_ first: JSON.Members, _ second: JSON.Members) -> JSON.Members {
    var all = first
    for (section, entries) in second {
      guard entries.object != nil, all[section].map({ $0.object != nil }) ?? true else {
        if all[section] == nil { all[section] = entries }
        continue
      }
      var merged = all[section]?.object ?? [:]
      for (key, entry) in entries.object ?? [:] { merged[key] = entry }
      all[section] = .object(merged)
    }
    return all
  }
}
