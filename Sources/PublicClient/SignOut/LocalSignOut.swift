import Documents
import OrderedCollections
import RunTrace
import TokenCache

/// The local part of a sign-out, which removes tokens from the cache.
struct LocalSignOut: Sendable {
  let parts: RequestDependencies
  let account: Account
  var wipesAccount = false
  var wipesCache = false
  /// Whether to sign out of all apps, as on a shared device.
  var signsOutOfDevice = false

  /// - Throws: An error if the cache cannot be written. In that case, nothing is removed.
  func run() throws(MSALError) {
    let client = parts.configuration.clientID
    let reason = self.reason
    let account = try resolvedAccount()
    guard !account.identifier.isBlank else { return try handleUnknownAccount() }
    try parts.updateCache(reason: reason) { contents in
      contents.removeCredentials(ofAccount: account.identifier, clientID: client)
      contents.changeAccountMetadata(clientID: client) { $0.setSignInState(.signedOut, of: account.identifier) }
      if wipesAccount || signsOutOfDevice {
        contents.removeCredentials(ofAccount: account.identifier, clientID: nil)
        contents.removeAccountRecords(account.identifier)
      }
      if signsOutOfDevice { signOutOfOtherApps(account, &contents) }
      if wipesCache { contents.removeEverything() }
    }
    parts.trace.recordDecision(
      "account", "signed out",
      reason: "\(account.username): \(reason); issued tokens remain valid until they expire")
  }

  /// Returns the account. An account without an identifier is looked up by its username. If the sign-out wipes the
  /// account, the lookup also finds accounts that are signed out of this app.
  private func resolvedAccount() throws(MSALError) -> Account {
    let directory = AccountDirectory(parts: parts)
    let resolved = try directory.resolve(account)
    guard resolved.identifier.isBlank, wipesAccount || signsOutOfDevice else { return resolved }
    return try directory.resolve(account, onlySignedIn: false)
  }

  /// Records that the username is not cached, which is not an error. Wipes the cache if the sign-out requires it.
  private func handleUnknownAccount() throws(MSALError) {
    if wipesCache { try parts.updateCache(reason: reason) { $0.removeEverything() } }
    parts.trace.recordDecision(
      "account", "not found",
      reason: "\(account.username) is not cached\(wipesCache ? "; \(reason)" : "")")
  }

  private var reason: String {
    if wipesCache { return "cache wiped" }
    if signsOutOfDevice { return "signed out of all apps on the shared device" }
    return wipesAccount ? "account wiped" : "signed out of this app"
  }

  private func signOutOfOtherApps(_ account: Account, _ contents: inout CacheContents) {
    let clients = contents.section(.accountMetadata).object?.values.compactMap { $0["client_id"]?.string } ?? []
    for client in clients
    where contents.accountMetadata(clientID: client)?.signInState(of: account.identifier) == .signedIn {
      contents.changeAccountMetadata(clientID: client) { $0.setSignInState(.signedOut, of: account.identifier) }
    }
  }
}
