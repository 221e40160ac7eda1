import RunTrace
import TokenCache

/// getCurrentAccount: the one account that is signed in, and who was before.
struct CurrentAccount: Sendable {
  var account: Account?
  /// Set where the account that the app last saw as its current one is another.
  var previous: Account?

  /// On a shared device the account of the device is meant, whichever app it signed in to.
  /// - Throws: `ambiguousAccount` where more than one is signed in.
  static func find(_ parts: RequestDependencies) throws(MSALError) -> CurrentAccount {
    var parameters = AccountEnumerationParameters()
    // Signing out of a shared device removes the account's records, so those that are there are signed in.
    parameters.returnOnlySignedInAccounts = parts.configuration.deviceMode != .shared
    let accounts = try AccountDirectory(parts: parts).accounts(parameters)
    guard accounts.count <= 1 else {
      let names = accounts.map(\.username).joined(separator: ", ")
      throw MSALError(.cacheMultipleUsers, "\(accounts.count) accounts are signed in: \(names); choose one")
    }
    let current = accounts.first
    let client = parts.configuration.clientID
    let metadata = try parts.contents().accountMetadata(clientID: client)
    let before = metadata?.principalHomeAccountID
    guard before != current?.identifier else { return CurrentAccount(account: current, previous: nil) }
    parts.tidyCache(reason: "the current account is another one than before") { contents in
      contents.changeAccountMetadata(clientID: client) {
        $0.setPrincipal(
          homeAccountID: current?.identifier, username: current?.username, environment: current?.environment)
      }
    }
    let previous = before.map {
      Account(
        identifier: $0, username: metadata?.principalUsername ?? "", environment: metadata?.principalEnvironment ?? "")
    }
    if let previous {
      parts.trace.recordDecision(
        "account", "changed",
        reason: "\(previous.username) was the current account; now it is \(current?.username ?? "nobody")")
    }
    return CurrentAccount(account: current, previous: previous)
  }
}
