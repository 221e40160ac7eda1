import Documents
import OrderedCollections
import RunTrace
import TokenCache

/// What signing out does to the cache.
struct LocalSignOut: Sendable {
  let parts: ClientParts
  let account: Account
  var wipesAccount = false
  var wipesEverything = false
  /// On a device that people share, whoever leaves one app leaves all of them.
  var isOfWholeDevice = false

  /// - Throws: where the cache cannot be written; then nothing is removed.
  func run() throws(MSALError) {
    let client = parts.configuration.clientID
    let why = self.why
    try parts.updateCache(why: why) { contents in
      contents.removeCredentials(ofAccount: account.identifier, clientID: client)
      contents.changeAccountMetadata(clientID: client) { $0.setSignInState(.signedOut, of: account.identifier) }
      if wipesAccount || isOfWholeDevice {
        contents.removeCredentials(ofAccount: account.identifier, clientID: nil)
        contents.removeAccountRecords(account.identifier)
      }
      if isOfWholeDevice { signOutOfOthers(&contents) }
      if wipesEverything { contents.removeEverything() }
    }
    parts.trace.decide(
      "account", "signed out", why: "\(account.username): \(why); sessions and tokens at the server stay as they are")
  }

  private var why: String {
    if wipesEverything { return "the whole cache is wiped" }
    if isOfWholeDevice { return "signed out of every app of the shared device" }
    return wipesAccount ? "the account is wiped" : "signed out of this app"
  }

  private func signOutOfOthers(_ contents: inout CacheContents) {
    let clients = contents.section(.accountMetadata).object?.values.compactMap { $0["client_id"]?.string } ?? []
    for client in clients
    where contents.accountMetadata(clientID: client)?.signInState(of: account.identifier) == .signedIn {
      contents.changeAccountMetadata(clientID: client) { $0.setSignInState(.signedOut, of: account.identifier) }
    }
  }
}
