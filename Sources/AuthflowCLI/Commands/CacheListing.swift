import Documents
import Effects
import OAuth
import OrderedCollections
import RunTrace
import TokenCache

/// A token cache as it is shown: by accounts, or record by record with the secrets masked.
struct CacheListing {
  let place: String
  let exists: Bool
  let now: Instant
  let contents: CacheContents
  private let sections: [CacheSectionName: OrderedDictionary<String, JSON>]

  init(_ contents: CacheContents, place: String, exists: Bool, now: Instant) {
    self.contents = contents
    self.place = place
    self.exists = exists
    self.now = now
    sections = Dictionary(
      uniqueKeysWithValues: CacheSectionName.allCases.map { ($0, contents.section($0).object ?? [:]) })
  }

  var isEmpty: Bool { sections.values.allSatisfy(\.isEmpty) }

  func entries(_ section: CacheSectionName) -> OrderedDictionary<String, JSON> { sections[section] ?? [:] }

  /// `1 access token, 2 refresh tokens`
  var summary: String {
    var count = EntryCounts()
    for (section, entries) in sections where !entries.isEmpty { count.add(section, entries.count) }
    return count.words
  }

  // MARK: Masking

  /// Every record with its secrets masked, for machines.
  var maskedJSON: JSON {
    var json: JSON = [:]
    for section in CacheSectionName.allCases {
      var masked: JSON = [:]
      for (key, entry) in entries(section) { masked[key] = Self.masked(entry, in: section) }
      json[section.rawValue] = masked
    }
    return [
      "place": .string(place), "now": .string(now.rfc3339()), "sections": json,
      "unknownParts": .array(contents.unknownParts.map { .string($0) }),
    ]
  }

  /// An entry without its secrets: in clear are only the fields of the schema that are known to hold none. What a field
  /// that the schema does not have is good for cannot be known.
  static func masked(_ entry: JSON, in section: CacheSectionName) -> JSON {
    guard let members = entry.object else { return maskedText(entry) }
    return .object(
      members.reduce(into: [:]) { masked, field in masked[field.key] = self.masked(field.key, field.value, section) })
  }

  private static func masked(_ name: String, _ value: JSON, _ section: CacheSectionName) -> JSON {
    // Names are compared in any case: who knows what other programs write.
    let field = name.lowercased()
    switch value {
    case .null, .bool: return value
    case .object(let members):
      // Its members' names are addresses, and their values too.
      if section == .accountMetadata, field == "athority_map" { return value }
      if field == "secret" { return .string("‹\(section.words)›") }
      return .object(
        members.reduce(into: [:]) { masked, member in
          masked[member.key] = self.masked(member.key, member.value, section)
        })
    case .array(let elements): return .array(elements.map { masked(name, $0, section) })
    case .string(let text) where text.isEmpty: return value
    default:
      if field == "secret" { return .string("‹\(section.words)›") }
      if CacheChange.shownFields.contains(field) { return maskedText(value) }
      return .string("‹\(SecretParameters.kind(of: name)?.rawValue ?? "not shown")›")
    }
  }

  /// What looks like a token is none of these fields' business.
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

  /// What one app has for one account.
  struct Client {
    var id: String
    var state: SignInState
    /// Whether the app's allAccounts lists the account.
    var isVisible: Bool
    var accessTokens: [Token] = []
    var hasRefreshToken = false
    /// The families whose refresh token the app may use.
    var families: [String] = []
    var hasIDToken = false
  }

  struct Account {
    var homeAccountID: String
    var records: [AccountRecord]
    var clients: [Client]

    /// The record of the home tenant, which says what the account is called.
    var home: AccountRecord? {
      records.first { isHome($0) } ?? records.first
    }

    func isHome(_ record: AccountRecord) -> Bool {
      let tenant = CacheKey.normal(homeAccountID).split(separator: ".").last.map(String.init)
      return CacheKey.normal(record.realm) == tenant
    }
  }

  /// The accounts, in the cache's order.
  /// - Parameters:
  ///   - onlyClient: one app's view; nil for all apps.
  ///   - all: also those that no app shows any more.
  func accounts(onlyClient: String?, all: Bool) -> [Account] {
    var clients: [String: OrderedDictionary<String, Client>] = [:]
    let visible = visibility()
    func note(_ account: String, _ client: String, _ change: (inout Client) -> Void) {
      let id = CacheKey.normal(account)
      let clientID = CacheKey.normal(client)
      guard !id.isEmpty, !clientID.isEmpty, onlyClient.map({ CacheKey.normal($0) == clientID }) ?? true else { return }
      let state = contents.accountMetadata(clientID: clientID)?.signInState(of: id) ?? .unknown
      change(
        &clients[id, default: [:]][
          clientID,
          default: Client(id: clientID, state: state, isVisible: visible[clientID]?.contains(id) ?? false)])
    }
    for entry in entries(.accessToken).values {
      guard let fields = entry.object else { continue }
      let record = AccessTokenRecord(fields: fields)
      note(record.homeAccountID, record.clientID) {
        $0.accessTokens.append(Token(scopes: record.scopes, realm: record.realm, expiresOn: record.expiresOn))
      }
    }
    for entry in entries(.refreshToken).values {
      guard let fields = entry.object else { continue }
      let record = RefreshTokenRecord(fields: fields)
      note(record.homeAccountID, record.clientID) {
        if let family = record.familyID {
          if !$0.families.contains(family) { $0.families.append(family) }
        } else {
          $0.hasRefreshToken = true
        }
      }
    }
    for entry in entries(.idToken).values {
      guard let fields = entry.object else { continue }
      let record = IDTokenRecord(fields: fields)
      note(record.homeAccountID, record.clientID) { $0.hasIDToken = true }
    }
    for entry in entries(.accountMetadata).values {
      for id in (entry["account_metadata_map"]?.object ?? [:]).keys {
        note(id, entry["client_id"]?.string ?? "") { _ in }
      }
    }
    var order: OrderedDictionary<String, [AccountRecord]> = [:]
    for entry in entries(.account).values {
      guard let fields = entry.object else { continue }
      let record = AccountRecord(fields: fields)
      order[CacheKey.normal(record.homeAccountID), default: []].append(record)
    }
    return order.compactMap { id, records in
      let own = clients[id].map { Array($0.values) } ?? []
      guard all || own.contains(where: \.isVisible) else { return nil }
      guard onlyClient == nil || !own.isEmpty || all else { return nil }
      return Account(homeAccountID: id, records: records, clients: own)
    }
  }

  /// By app, the accounts that it shows.
  private func visibility() -> [String: Set<String>] {
    var clients: Set<String> = []
    for section in [CacheSectionName.accessToken, .refreshToken, .idToken, .accountMetadata] {
      for entry in entries(section).values {
        if let client = entry["client_id"]?.string { clients.insert(CacheKey.normal(client)) }
      }
    }
    return Dictionary(
      uniqueKeysWithValues: clients.map { client in
        let accounts = contents.accounts(clientID: client, environments: nil, onlySignedIn: true)
        return (client, Set(accounts.map { CacheKey.normal($0.homeAccountID) }))
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
