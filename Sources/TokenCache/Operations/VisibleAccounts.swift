import Documents

extension CacheContents {
  /// The accounts that an app may see, each with its records in one or more tenants, in the cache's order.
  ///
  /// An account is visible while there is a refresh token for it (the app's own, or that of a family that the app may
  /// belong to) or the app's metadata says that it is signed in; never while the metadata says that it is signed out.
  /// - Parameters:
  ///   - environments: the hosts of one cloud; nil for all clouds.
  ///   - onlySignedIn: false shows every account record there is.
  ///   - homeAccountID: just this account, found without looking at the others.
  package func accounts(
    clientID: String, environments: [String]?, onlySignedIn: Bool, homeAccountID: String? = nil
  ) -> [(homeAccountID: String, records: [AccountRecord])] {
    let wanted = environments.map { Set($0.map { CacheKey.normal($0) }) }
    let metadata = accountMetadata(clientID: clientID)
    var order: [String] = []
    var groups: [String: [AccountRecord]] = [:]
    let found =
      homeAccountID.map { records(.account, ofAccount: $0, as: AccountRecord.self) }
      ?? records(.account, as: AccountRecord.self)
    for (_, record) in found {
      let id = CacheKey.normal(record.homeAccountID)
      guard !id.isEmpty, wanted?.contains(CacheKey.normal(record.environment)) ?? true else { continue }
      if groups[id] == nil { order.append(id) }
      groups[id, default: []].append(record)
    }
    return order.compactMap { id in
      let records = groups[id] ?? []
      let isShown = !onlySignedIn || isVisible(id, records, clientID: clientID, environments, metadata)
      return isShown ? (id, records) : nil
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
