import Documents
import Effects
import IdentityPlatform
import OAuth
import OrderedCollections
import RunTrace
import TokenCache

/// signoutWithAccount: the local part first, then the browser's.
struct SignOutRequest: Sendable {
  let parts: ClientParts
  let parameters: SignOutParameters

  /// What was done, for the trace and for expectations.
  struct Outcome: Sendable {
    var sent: SentRequest?
    var screens: [String] = []
  }

  func run() async throws(MSALError) -> Outcome {
    let correlationID = parameters.correlationID ?? parts.world.randomness.uuid()
    guard let account = parameters.account else {
      throw MSALError(.invalidDeveloperParameter, "signing out needs an account").attempted(
        nil, correlationID: correlationID)
    }
    if parameters.signoutFromBrowser, parameters.webview == nil {
      throw MSALError(.invalidDeveloperParameter, "signing out in the browser needs web view parameters").attempted(
        nil, correlationID: correlationID)
    }
    try removeLocally(account)
    guard parameters.signoutFromBrowser else { return Outcome() }
    do {
      return try await visit(account, correlationID)
    } catch {
      throw error.attempted(nil, correlationID: correlationID)
    }
  }

  private func removeLocally(_ account: Account) throws(MSALError) {
    let client = parts.configuration.clientID
    let why =
      parameters.wipeCacheForAllAccounts
      ? "the whole cache is wiped" : parameters.wipeAccount ? "the account is wiped" : "signed out of this app"
    try parts.updateCache(why: why) { contents in
      contents.removeCredentials(ofAccount: account.identifier, clientID: client)
      contents.changeAccountMetadata(clientID: client) { $0.setSignInState(.signedOut, of: account.identifier) }
      if parameters.wipeAccount {
        contents.removeCredentials(ofAccount: account.identifier, clientID: nil)
        contents.removeAccountRecords(account.identifier)
      }
      if parameters.wipeCacheForAllAccounts { contents.removeEverything() }
    }
    parts.trace.decide(
      "account", "signed out", why: "\(account.username): \(why); sessions and tokens at the server stay as they are")
  }

  /// Opens the provider's sign-out page. A person who closes it has signed out locally all the same.
  private func visit(_ account: Account, _ correlationID: String) async throws(MSALError) -> Outcome {
    let authority = try parts.requestAuthority(parameters.authority)
    let headers = parts.headers(correlationID: correlationID, account: account)
    _ = try await parts.resolver.resolve(authority, headers: headers)
    let metadata = try await parts.providers.metadata(of: authority, headers: headers)
    guard let endpoint = metadata.endSessionEndpoint else {
      throw MSALError(.unsupportedFunctionality, "\(authority.url) has no sign-out page")
    }
    let state = RequestMarks.state(from: parts.world.randomness)
    var url = URLReference(endpoint)
    var query = url.parameters
    if let redirectURI = parts.redirectURI { query.appendMissing(["post_logout_redirect_uri": redirectURI]) }
    query.appendMissing(["state": state.reveal()])
    query.appendMissing(
      parts.configuration.sliceConfig.parameters
        + parts.configuration.extraQueryParameters.overlaid(
          with: parameters.extraQueryParameters))
    query.appendMissing(ClientIdentity(configuration: parts.configuration).parameters)
    url.query = FormCoding.serialize(query)
    let masked = parts.trace.mask(state)
    parts.trace.record(
      .interaction,
      ["phase": "opened", "purpose": "signOut", "url": TraceValue(url.text), "state": TraceValue(masked)])
    let outcome = await parts.browser.visit(
      BrowserVisit(
        url: url.text, redirectURI: parts.redirectURI, purpose: .signOut,
        ephemeral: parameters.webview?.prefersEphemeralWebBrowserSession ?? false))
    parts.trace.record(.interaction, outcome.traceMembers(purpose: .signOut))
    let done = Outcome(sent: SentRequest(url: url.text), screens: outcome.screens)
    switch outcome.ending {
    case .redirected(let reached):
      try checkState(reached, state)
      return done
    case .finished, .closed: return done
    case .unavailable(let reason):
      throw MSALError(.noMainViewController, "the sign-out page cannot be shown: \(reason)")
    case .failed(let failure): throw MSALError(failure)
    }
  }

  private func checkState(_ url: String, _ sent: Secret) throws(MSALError) {
    guard let returned = CheckedRedirect.parameters(of: url)["state"], ConstantTime.equal(returned, sent.reveal())
    else {
      throw MSALError(.serverInvalidState, "the sign-out page came back without the state that was sent")
    }
  }
}
