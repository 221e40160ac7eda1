import Documents
import OrderedCollections
import RunTrace
import TokenCache

/// What signing out does to the cache.
struct LocalSignOut: Sendable {
  let parts: RequestDependencies
  let account: Account
  var wipesAccount = false
  var wipesEverything = false
  /// On a device that people share, whoever leaves one app leaves all of them.
  var isOfWholeDevice = false

  /// - Throws: where the cache cannot be written; then nothing is removed.
  func run() throws(MSALError) {
    let client = parts.configuration.clientID
    let reason = self.reason
    let account = try known()
    guard !account.identifier.isBlank else { return try signOutOfNobody() }
    try parts.updateCache(reason: reason) { contents in
      contents.removeCredentials(ofAccount: account.identifier, clientID: client)
      contents.changeAccountMetadata(clientID: client) { $0.setSignInState(.signedOut, of: account.identifier) }
      if wipesAccount || isOfWholeDevice {
        contents.removeCredentials(ofAccount: account.identifier, clientID: nil)
        contents.removeAccountRecords(account.identifier)
      }
      if isOfWholeDevice { signOutOfOthers(account, &contents) }
      if wipesEverything { contents.removeEverything() }
    }
    parts.trace.recordDecision(
      "account", "signed out",
      reason: "\(account.username): \(reason); tokens that were issued stay valid until they expire")
  }

  /// The account, found by its name where nothing else is known of it. Who wipes it means it wherever it is signed in.
  private func known() throws(MSALError) -> Account {
    let directory = AccountDirectory(parts: parts)
    let found = try directory.known(account)
    guard found.identifier.isBlank, wipesAccount || isOfWholeDevice else { return found }
    return try directory.known(account, onlySignedIn: false)
  }

  /// Nobody of that name is kept: as with any account that is not there, that is no failure.
  private func signOutOfNobody() throws(MSALError) {
    if wipesEverything { try parts.updateCache(reason: reason) { $0.removeEverything() } }
    parts.trace.recordDecision(
      "account", "not found",
      reason: "nobody is kept here by the name of \(account.username)\(wipesEverything ? "; \(reason)" : "")")
  }

  private var reason: String {
    if wipesEverything { return "the whole cache is wiped" }
    if isOfWholeDevice { return "signed out of every app of the shared device" }
    return wipesAccount ? "the account is wiped" : "signed out of this app"
  }

  private func signOutOfOthers(_ account: Account, _ contents: inout CacheContents) {
    let clients = contents.section(.accountMetadata).object?.values.compactMap { $0["client_id"]?.string } ?? []
    for client in clients
    where contents.accountMetadata(clientID: client)?.signInState(of: account.identifier) == .signedIn {
      contents.changeAccountMetadata(clientID: client) { $0.setSignInState(.signedOut, of: account.identifier) }
    }
  }
}
