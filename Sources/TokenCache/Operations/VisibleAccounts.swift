import Documents

extension CacheContents {
  /// Returns the accounts that are visible to an app, in cache order. Each account has records for one or more tenants.
  ///
  /// An account is visible if the cache contains a refresh token that was issued for the account to the app or its
  /// family, or if the account metadata marks the account as signed in. An account that is marked as signed out is
  /// never visible.
  /// - Parameters:
  ///   - environments: The hosts of a cloud, or nil for all clouds.
  ///   - onlySignedIn: Whether to return only visible accounts instead of all account records.
  ///   - homeAccountID: The only account to return, or nil for all.
  package func accounts(
    clientID: String, environments: [String]?, onlySignedIn: Bool, homeAccountID: String? = nil
  ) -> [(homeAccountID: String, records: [AccountRecord])] {
    let hosts = environments.map { Set($0.map { CacheKey.normalized($0) }) }
    let metadata = accountMetadata(clientID: clientID)
    var order: [String] = []
    var groups: [String: [AccountRecord]] = [:]
    let candidates =
      homeAccountID.map { records(.account, ofAccount: $0, as: AccountRecord.self) }
      ?? records(.account, as: AccountRecord.self)
    for (_, record) in candidates {
      let id = CacheKey.normalized(record.homeAccountID)
      guard !id.isEmpty, hosts?.contains(CacheKey.normalized(record.environment)) ?? true else { continue }
      if groups[id] == nil { order.append(id) }
      groups[id, default: []].append(record)
    }
    return order.compactMap { id in
      let records = groups[id] ?? []
      let isIncluded = !onlySignedIn || isVisible(id, records, clientID: clientID, environments, metadata)
      return isIncluded ? (id, records) : nil
    }
  }

  private func isVisible(
    _ homeAccountID: String, _ records: [AccountRecord], clientID: String, _ environments: [String]?,
    _ metadata: AccountMetadataRecord?
  ) -> Bool {
    switch metadata?.signInState(of: homeAccountID) ?? .unknown {
    case .signedOut: return false
    case .signedIn: return true
    case .unknown: break
    }
    let hosts = environments ?? records.map(\.environment)
    if refreshToken(homeAccountID: homeAccountID, environments: hosts, clientID: clientID) != nil { return true }
    guard let family = familyIDToTry(clientID: clientID, environments: hosts) else { return false }
    return familyRefreshToken(homeAccountID: homeAccountID, environments: hosts, familyID: family) != nil
  }
}
