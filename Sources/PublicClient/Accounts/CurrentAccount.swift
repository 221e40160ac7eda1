import RunTrace
import TokenCache

/// The result of `getCurrentAccount`: the account that is signed in, and the previous account.
struct CurrentAccount: Sendable {
  var account: Account?
  /// The account that the previous call returned, if it was a different account.
  var previous: Account?

  /// Returns the current account. On a shared device, this is the device's account, even if the user signed in to
  /// another app.
  /// - Throws: `ambiguousAccount` if more than one account is signed in.
  static func find(_ parts: RequestDependencies) throws(MSALError) -> CurrentAccount {
    var parameters = AccountEnumerationParameters()
    // Signing out of a shared device removes the account records, so all remaining accounts are signed in.
    parameters.returnOnlySignedInAccounts = parts.configuration.deviceMode != .shared
    let accounts = try AccountDirectory(parts: parts).accounts(parameters)
    guard accounts.count <= 1 else {
      let names = accounts.map(\.username).joined(separator: ", ")
      throw MSALError(.cacheMultipleUsers, "\(accounts.count) accounts are signed in: \(names)")
    }
    let current = accounts.first
    let client = parts.configuration.clientID
    let metadata = try parts.contents().accountMetadata(clientID: client)
    let before = metadata?.principalHomeAccountID
    guard before != current?.identifier else { return CurrentAccount(account: current, previous: nil) }
    parts.tidyCache(reason: "current account changed") { contents in
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
        reason: "the current account changed from \(previous.username) to \(current?.username ?? "none")")
    }
    return CurrentAccount(account: current, previous: previous)
  }
}
