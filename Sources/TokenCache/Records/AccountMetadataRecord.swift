import Documents
import OrderedCollections

/// The sign-in state of an account in the metadata of an app.
package enum SignInState: String, Sendable, Hashable, CaseIterable {
  case unknown
  case signedIn = "signed_in"
  case signedOut = "signed_out"
}

/// The account metadata of a client. Contains the sign-in states and, for each requested authority, the authority that
/// issued the tokens.
package struct AccountMetadataRecord: Sendable {
  private(set) var client: ClientMetadata
  /// Whether the record is new or has changed.
  private(set) var isChanged = false

  init(_ client: ClientMetadata) {
    self.client = client
  }

  package init(clientID: String) {
    client = ClientMetadata()
    client.fields["client_id"] = .string(clientID)
    isChanged = true
  }

  package var clientID: String { text("client_id") ?? "" }

  /// The complete entry, with all accounts.
  package var json: JSON { client.json }

  /// The home account IDs of all accounts with metadata.
  package var homeAccountIDs: [String] { client.accounts.keys }

  package func signInState(of homeAccountID: String) -> SignInState {
    account(homeAccountID)?["sign_in_state"]?.string.flatMap { SignInState(rawValue: $0) } ?? .unknown
  }

  /// Sets the sign-in state. Signing out also removes the cached authorities.
  package mutating func setSignInState(_ state: SignInState, of homeAccountID: String) {
    change(homeAccountID) { account in
      account["sign_in_state"] = .string(state.rawValue)
      if state == .signedOut { account[Self.mapField] = [:] }
    }
  }

  /// Returns the authority that issued tokens for a requested authority, or nil if the account is signed out.
  package func cachedAuthority(for requestURL: String, instanceAware: Bool, account homeAccountID: String) -> String? {
    guard signInState(of: homeAccountID) != .signedOut else { return nil }
    return account(homeAccountID)?[Self.mapField]?[Self.mapKey(instanceAware)]?[requestURL]?.string
  }

  /// Stores the authority that issued tokens for a requested authority, and marks the account as signed in.
  package mutating func recordAuthority(
    _ cachedURL: String, for requestURL: String, instanceAware: Bool, account homeAccountID: String
  ) {
    change(homeAccountID) { account in
      account["sign_in_state"] = .string(SignInState.signedIn.rawValue)
      var maps = account[Self.mapField]?.object ?? [:]
      var map = maps[Self.mapKey(instanceAware)]?.object ?? [:]
      map[requestURL] = .string(cachedURL)
      maps[Self.mapKey(instanceAware)] = .object(map)
      account[Self.mapField] = .object(maps)
    }
  }

  package mutating func remove(_ homeAccountID: String) {
    let id = CacheKey.normalized(homeAccountID)
    guard client.account(id) != nil else { return }
    client.remove(id)
    isChanged = true
  }

  /// The account that the last call to `getCurrentAccount` returned to the app.
  package var principalHomeAccountID: String? { text("principal_home_account_id").flatMap { $0.isEmpty ? nil : $0 } }
  package var principalUsername: String? { text("principal_username") }
  package var principalEnvironment: String? { text("principal_account_environment") }

  package mutating func setPrincipal(homeAccountID: String?, username: String?, environment: String?) {
    let new = [
      "principal_home_account_id": homeAccountID, "principal_username": username,
      "principal_account_environment": environment,
    ]
    for (name, value) in new.sorted(by: { $0.key < $1.key }) where text(name) != value {
      client.fields[name] = value.map { .string($0) }
      isChanged = true
    }
  }

  package var key: String { CacheKey.accountMetadata(clientID: clientID) }

  /// MSAL's name for the field, including its typo.
  private static let mapField = "athority_map"

  private static func mapKey(_ instanceAware: Bool) -> String {
    instanceAware ? "URLMap-instance_aware=YES" : "URLMap-"
  }

  private func text(_ name: String) -> String? { client.fields[name]?.string }

  private func account(_ homeAccountID: String) -> JSON? { client.account(CacheKey.normalized(homeAccountID)) }

  private mutating func change(
    _ homeAccountID: String, _ body: (inout OrderedDictionary<String, JSON>) -> Void
  ) {
    let id = CacheKey.normalized(homeAccountID)
    let old = client.account(id)
    var account = old?.object ?? ["client_id": .string(clientID), "home_account_id": .string(id)]
    body(&account)
    guard old != .object(account) else { return }
    client.put(.object(account), for: id)
    isChanged = true
  }
}
