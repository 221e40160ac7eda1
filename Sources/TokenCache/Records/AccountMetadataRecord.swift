import Documents
import OrderedCollections

/// Whether an account is signed in to an app, as the app's own metadata says it.
package enum SignInState: String, Sendable, Hashable, CaseIterable {
  case unknown
  case signedIn = "signed_in"
  case signedOut = "signed_out"
}

/// The accounts of one client: their sign-in state, and which authority answered for which.
package struct AccountMetadataRecord: CacheRecord {
  package var fields: OrderedDictionary<String, JSON>

  package static let knownFields: Set<String> = [
    "client_id", "account_metadata_map", "principal_home_account_id", "principal_username",
    "principal_account_environment",
  ]

  package init(fields: OrderedDictionary<String, JSON>) {
    self.fields = fields
  }

  package init(clientID: String) {
    fields = [:]
    set("client_id", clientID)
    fields["account_metadata_map"] = [:]
  }

  package var clientID: String { textOrEmpty("client_id") }

  /// The accounts that something is known about.
  package var homeAccountIDs: [String] {
    fields["account_metadata_map"]?.object.map { Array($0.keys) } ?? []
  }

  package func signInState(of homeAccountID: String) -> SignInState {
    account(homeAccountID)?["sign_in_state"]?.string.flatMap { SignInState(rawValue: $0) } ?? .unknown
  }

  /// Signing out forgets which authorities answered; any other state keeps them.
  package mutating func setSignInState(_ state: SignInState, of homeAccountID: String) {
    change(homeAccountID) { account in
      account["sign_in_state"] = .string(state.rawValue)
      if state == .signedOut { account[Self.mapField] = [:] }
    }
  }

  /// The authority that answered for the one that was asked; nil while the account is signed out.
  package func cachedAuthority(for requestURL: String, instanceAware: Bool, account homeAccountID: String) -> String? {
    guard signInState(of: homeAccountID) != .signedOut else { return nil }
    return account(homeAccountID)?[Self.mapField]?[Self.mapKey(instanceAware)]?[requestURL]?.string
  }

  /// Remembers which authority answered, which makes the account signed in.
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

  package mutating func forget(_ homeAccountID: String) {
    guard case .object(var accounts)? = fields["account_metadata_map"] else { return }
    accounts[CacheKey.normal(homeAccountID)] = nil
    fields["account_metadata_map"] = .object(accounts)
  }

  /// The account that the app last saw as its current one.
  package var principalHomeAccountID: String? { text("principal_home_account_id").flatMap { $0.isEmpty ? nil : $0 } }
  package var principalUsername: String? { text("principal_username") }
  package var principalEnvironment: String? { text("principal_account_environment") }

  package mutating func setPrincipal(homeAccountID: String?, username: String?, environment: String?) {
    set("principal_home_account_id", homeAccountID)
    set("principal_username", username)
    set("principal_account_environment", environment)
  }

  package var key: String { CacheKey.accountMetadata(clientID: clientID) }

  /// The field's name as MSAL has it on disk, missing letter included.
  private static let mapField = "athority_map"

  private static func mapKey(_ instanceAware: Bool) -> String {
    instanceAware ? "URLMap-instance_aware=YES" : "URLMap-"
  }

  private func account(_ homeAccountID: String) -> JSON? {
    fields["account_metadata_map"]?[CacheKey.normal(homeAccountID)]
  }

  private mutating func change(
    _ homeAccountID: String, _ body: (inout OrderedDictionary<String, JSON>) -> Void
  ) {
    var accounts = fields["account_metadata_map"]?.object ?? [:]
    let id = CacheKey.normal(homeAccountID)
    var account = accounts[id]?.object ?? ["client_id": .string(clientID), "home_account_id": .string(id)]
    body(&account)
    accounts[id] = .object(account)
    fields["account_metadata_map"] = .object(accounts)
  }
}
