import TokenCache

/// getCurrentAccount: the one account that is signed in, and who was before.
struct CurrentAccount: Sendable {
  package var account: Account?
  /// Set where the account that the app last saw as its current one is another.
  package var previous: Account?

  /// - Throws: `ambiguousAccount` where more than one is signed in.
  static func find(_ parts: ClientParts) throws(MSALError) -> CurrentAccount {
    let accounts = try AccountDirectory(parts: parts).accounts(AccountEnumerationParameters())
    guard accounts.count <= 1 else {
      let names = accounts.map(\.username).joined(separator: ", ")
      throw MSALError(.cacheMultipleUsers, "\(accounts.count) accounts are signed in: \(names); choose one")
    }
    let current = accounts.first
    let client = parts.configuration.clientID
    let metadata = try parts.contents().accountMetadata(clientID: client)
    let before = metadata?.principalHomeAccountID
    guard before != current?.identifier else { return CurrentAccount(account: current, previous: nil) }
    try parts.updateCache(why: "the current account is another one than before") { contents in
      contents.changeAccountMetadata(clientID: client) {
        $0.setPrincipal(
          homeAccountID: current?.identifier, username: current?.username, environment: current?.environment)
      }
    }
    let previous = before.map {
      Account(
        identifier: $0, username: metadata?.principalUsername ?? "", environment: metadata?.principalEnvironment ?? "")
    }
    return CurrentAccount(account: current, previous: previous)
  }
}
