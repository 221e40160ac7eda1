import Documents
import Effects
import OAuth
import OrderedCollections
import RunTrace
import TokenCache

/// The content of a token cache, which can be displayed by account or by record.
struct CacheListing {
  /// The path of the cache, or the name of its keyring item.
  let location: String
  let exists: Bool
  let now: Instant
  let contents: CacheContents
  private let sections: [CacheSectionName: OrderedDictionary<String, JSON>]

  init(_ contents: CacheContents, location: String, exists: Bool, now: Instant) {
    self.contents = contents
    self.location = location
    self.exists = exists
    self.now = now
    sections = Dictionary(
      uniqueKeysWithValues: CacheSectionName.allCases.map { ($0, contents.section($0).object ?? [:]) })
  }

  var isEmpty: Bool { sections.values.allSatisfy(\.isEmpty) }

  func entries(_ section: CacheSectionName) -> OrderedDictionary<String, JSON> { sections[section] ?? [:] }

  /// The number of tokens as text, for example `1 access token, 2 refresh tokens`.
  var summary: String {
    var count = EntryCounts()
    for (section, entries) in sections where !entries.isEmpty { count.add(section, count: entries.count) }
    return count.description
  }

  // MARK: Masking

  /// All records, with secrets masked.
  var maskedJSON: JSON {
    var json: JSON = [:]
    for section in CacheSectionName.allCases {
      var masked: JSON = [:]
      for (key, entry) in entries(section) { masked[key] = Self.masked(entry, in: section) }
      json[section.rawValue] = masked
    }
    return [
      "place": .string(location), "now": .string(now.rfc3339()), "sections": json,
      "unknownSections": .array(contents.unknownSections.map { .string($0) }),
    ]
  }

  /// Returns an entry with its secrets masked. Unknown fields are also masked, because they can contain secrets.
  static func masked(_ entry: JSON, in section: CacheSectionName) -> JSON {
    guard let members = entry.object else { return maskedText(entry) }
    return .object(
      members.reduce(into: [:]) { masked, field in masked[field.key] = self.masked(field.key, field.value, section) })
  }

  private static func masked(_ name: String, _ value: JSON, _ section: CacheSectionName) -> JSON {
    // Other programs may write field names in a different letter case.
    let field = name.lowercased()
    switch value {
    case .null, .bool: return value
    case .object(let members):
      // The keys and values of this map are authority URLs.
      if section == .accountMetadata, field == "athority_map" { return value }
      if field == "secret" { return .string("‹\(section.entryName)›") }
      return .object(
        members.reduce(into: [:]) { masked, member in
          masked[member.key] = self.masked(member.key, member.value, section)
        })
    case .array(let elements): return .array(elements.map { masked(name, $0, section) })
    case .string(let text) where text.isEmpty: return value
    default:
      if field == "secret" { return .string("‹\(section.entryName)›") }
      if CacheChange.unmaskedFields.contains(field) { return maskedText(value) }
      return .string("‹\(SecretParameters.kind(of: name)?.rawValue ?? "not shown")›")
    }
  }

  /// Masks a value that looks like a token, even if its field is not known to contain secrets.
  private static func maskedText(_ value: JSON) -> JSON {
    guard let text = value.string else { return value }
    return text.hasPrefix("eyJ") && text.contains(".") || text.utf8.count > 300 ? "‹secret›" : value
  }

  // MARK: Accounts

  struct Token {
    var scopes: [String]
    var realm: String
    var expiresOn: Instant?
  }

  /// The tokens and sign-in state of one app for one account.
  struct Client {
    var id: String
    var state: SignInState
    /// Whether MSAL's `allAccounts` returns the account to the app.
    var isVisible: Bool
    var accessTokens: [Token] = []
    var hasRefreshToken = false
    /// The app families whose refresh tokens the app can use.
    var families: [String] = []
    var hasIDToken = false
  }

  struct Account {
    var homeAccountID: String
    var records: [AccountRecord]
    var clients: [Client]

    /// The account record for the home tenant. This record contains the display name.
    var home: AccountRecord? {
      records.first { isHome($0) } ?? records.first
    }

    func isHome(_ record: AccountRecord) -> Bool {
      let tenant = CacheKey.normalized(homeAccountID).split(separator: ".").last.map(String.init)
      return CacheKey.normalized(record.realm) == tenant
    }
  }

  /// Returns the accounts in cache order.
  /// - Parameters:
  ///   - onlyClient: The client ID of an app, or nil for all apps.
  ///   - includesSignedOut: Whether to include accounts that are not visible to any app.
  func accounts(of onlyClient: String?, includesSignedOut: Bool = false) -> [Account] {
    var clients: [String: OrderedDictionary<String, Client>] = [:]
    let visibleAccounts = visibleAccounts()
    func update(_ account: String, _ client: String, _ change: (inout Client) -> Void) {
      let id = CacheKey.normalized(account)
      let clientID = CacheKey.normalized(client)
      guard !id.isEmpty, !clientID.isEmpty, onlyClient.map({ CacheKey.normalized($0) == clientID }) ?? true else {
        return
      }
      let state = contents.accountMetadata(clientID: clientID)?.signInState(of: id) ?? .unknown
      change(
        &clients[id, default: [:]][
          clientID,
          default: Client(id: clientID, state: state, isVisible: visibleAccounts[clientID]?.contains(id) ?? false)])
    }
    for record in records(.accessToken, AccessTokenRecord.init) {
      update(record.homeAccountID, record.clientID) {
        $0.accessTokens.append(Token(scopes: record.scopes, realm: record.realm, expiresOn: record.expiresOn))
      }
    }
    for record in records(.refreshToken, RefreshTokenRecord.init) {
      update(record.homeAccountID, record.clientID) {
        if let family = record.familyID {
          if !$0.families.contains(family) { $0.families.append(family) }
        } else {
          $0.hasRefreshToken = true
        }
      }
    }
    for record in records(.idToken, IDTokenRecord.init) {
      update(record.homeAccountID, record.clientID) { $0.hasIDToken = true }
    }
    for entry in entries(.accountMetadata).values {
      for id in (entry["account_metadata_map"]?.object ?? [:]).keys {
        update(id, entry["client_id"]?.string ?? "") { _ in }
      }
    }
    var accounts: OrderedDictionary<String, [AccountRecord]> = [:]
    for record in records(.account, AccountRecord.init) {
      accounts[CacheKey.normalized(record.homeAccountID), default: []].append(record)
    }
    return accounts.compactMap { id, records in
      let clients = clients[id].map { Array($0.values) } ?? []
      guard includesSignedOut || clients.contains(where: \.isVisible) else { return nil }
      return Account(homeAccountID: id, records: records, clients: clients)
    }
  }

  private func records<Record>(
    _ section: CacheSectionName, _ record: (OrderedDictionary<String, JSON>) -> Record
  ) -> [Record] {
    entries(section).values.compactMap { $0.object.map(record) }
  }

  /// Returns the home account IDs that each app can see, by client ID.
  private func visibleAccounts() -> [String: Set<String>] {
    var clients: Set<String> = []
    for section in [CacheSectionName.accessToken, .refreshToken, .idToken, .accountMetadata] {
      for entry in entries(section).values {
        if let client = entry["client_id"]?.string { clients.insert(CacheKey.normalized(client)) }
      }
    }
    return Dictionary(
      uniqueKeysWithValues: clients.map { client in
        let accounts = contents.accounts(clientID: client, environments: nil, onlySignedIn: true)
        return (client, Set(accounts.map { CacheKey.normalized($0.homeAccountID) }))
      })
  }
}

extension CacheListing.Account {
  func json(now: Instant) -> JSON {
    [
      "homeAccountId": .string(homeAccountID), "username": .string(home?.username ?? ""),
      "name": home?.name.map { .string($0) } ?? .null, "environment": .string(home?.environment ?? ""),
      "tenantProfiles": .array(
        records.map { record in
          [
            "tenantId": .string(record.realm), "localAccountId": .string(record.localAccountID),
            "username": .string(record.username), "environment": .string(record.environment),
            "isHomeTenant": .bool(isHome(record)),
          ]
        }),
      "clients": .array(
        clients.map { client in
          [
            "clientId": .string(client.id), "signInState": .string(client.state.rawValue),
            "visible": .bool(client.isVisible), "refreshToken": .bool(client.hasRefreshToken),
            "families": .array(client.families.map { .string($0) }), "idToken": .bool(client.hasIDToken),
            "accessTokens": .array(
              client.accessTokens.map { token in
                [
                  "scopes": .array(token.scopes.map { .string($0) }), "tenantId": .string(token.realm),
                  "expiresOn": token.expiresOn.map { .string($0.rfc3339()) } ?? .null,
                  "expired": .bool(token.expiresOn.map { $0 <= now } ?? true),
                ]
              }),
          ]
        }),
    ]
  }
}
