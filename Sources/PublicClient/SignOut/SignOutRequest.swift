import Documents
import Effects
import IdentityPlatform
import OAuth
import OrderedCollections
import RunTrace
import TokenCache

/// `signoutWithAccount`: a request that removes tokens from the cache and then opens the sign-out page if requested.
struct SignOutRequest: Sendable {
  let parts: RequestDependencies
  let parameters: SignOutParameters

  /// The browser request and the pages that the user saw.
  struct Outcome: Sendable {
    var sent: SentRequest?
    var screens: [String] = []
  }

  func run() async throws(MSALError) -> Outcome {
    let correlationID = parameters.correlationID ?? parts.world.randomness.uuid()
    do {
      return try await signOut(correlationID)
    } catch {
      throw error.withContext(nil, correlationID: correlationID)
    }
  }

  private var isShared: Bool { parts.configuration.deviceMode == .shared }

  private func signOut(_ correlationID: String) async throws(MSALError) -> Outcome {
    guard let requestedAccount = parameters.account else {
      throw MSALError(.invalidDeveloperParameter, "a sign-out requires an account")
    }
    if parameters.signoutFromBrowser, parameters.webview?.hasParentViewController != true {
      throw MSALError(.invalidDeveloperParameter, "a sign-out in the browser requires web view parameters")
    }
    let account = try AccountDirectory(parts: parts).resolve(requestedAccount)
    let hint = try idTokenHint(account)
    try LocalSignOut(
      parts: parts, account: account, wipesAccount: parameters.wipeAccount,
      wipesCache: parameters.wipeCacheForAllAccounts, signsOutOfDevice: isShared
    ).run()
    if parameters.signoutFromBrowser { return try await signOutOfBrowser(account, hint, correlationID) }
    guard isShared, parameters.webview?.hasParentViewController == true else { return Outcome() }
    do {
      return try await signOutOfBrowser(account, hint, correlationID)
    } catch {
      // The app did not request the page, so an error on the page does not make the call fail.
      parts.trace.recordDecision("browser", "still signed in", reason: error.message)
      return Outcome()
    }
  }

  /// Returns the ID token that identifies the user to other issuers (RP-Initiated Logout §2). Must be called before the
  /// sign-out removes the token.
  private func idTokenHint(_ account: Account) throws(MSALError) -> Secret? {
    let authority = try parts.requestAuthority(parameters.authority)
    guard authority.kind == .oidc else { return nil }
    return try parts.contents().idToken(
      homeAccountID: account.identifier, environments: parts.resolver.knownAliases(of: authority),
      clientID: parts.configuration.clientID, realm: authority.realm)?.record.secret
  }

  private func signOutOfBrowser(
    _ account: Account, _ hint: Secret?, _ correlationID: String
  ) async throws(MSALError) -> Outcome {
    try await parts.process.session.only { () async throws(MSALError) -> Outcome in
      try await visit(account, hint, correlationID)
    }
  }

  /// Opens the provider's sign-out page. If the user closes it, the local sign-out remains in effect.
  private func visit(
    _ account: Account, _ hint: Secret?, _ correlationID: String
  ) async throws(MSALError) -> Outcome {
    let authority = try parts.requestAuthority(parameters.authority)
    let headers = parts.headers(correlationID: correlationID, account: account)
    let cloud = try await parts.resolver.resolve(authority, headers: headers)
    let metadata = try await parts.providers.metadata(of: authority, headers: headers)
    guard let endpoint = metadata.endSessionEndpoint else {
      throw MSALError(.unsupportedFunctionality, "\(authority.url) does not have a sign-out page")
    }
    var redirectURI: String?
    if let registered = parts.redirectURI { redirectURI = await parts.browser.redirectURI(for: registered) }
    let state = StateAndNonce.state(from: parts.world.randomness)
    let url = signOutURL(
      cloud.networkURL(endpoint), redirectURI: redirectURI, state: state, hint: hint, for: authority)
    // Register the secrets first, so that the recorder also masks them in URLs.
    let masked = parts.trace.mask(state)
    if let hint { parts.trace.keepSecret(hint) }
    parts.trace.record(
      .interaction,
      ["phase": "opened", "purpose": "signOut", "url": TraceValue(url), "state": TraceValue(masked)])
    let outcome = await parts.browser.visit(
      BrowserVisit(
        url: url, redirectURI: redirectURI, purpose: .signOut,
        ephemeral: parameters.webview?.prefersEphemeralWebBrowserSession ?? false))
    parts.trace.record(.interaction, outcome.traceMembers(purpose: .signOut))
    let done = Outcome(sent: SentRequest(url: url), screens: outcome.screens)
    switch outcome.result {
    case .redirected(let reached):
      try checkState(reached, state)
      return done
    case .finished, .closed: return done
    case .unavailable(let reason):
      throw MSALError(.noMainViewController, "the sign-out page cannot be shown: \(reason)")
    case .failed(let failure): throw MSALError(failure)
    }
  }

  /// Builds the URL of the sign-out page. Preserves the parameters that the endpoint's query already contains. As in
  /// MSAL, the URL contains the extra parameters of the sign-out, but not the client's extra parameters or slice.
  private func signOutURL(
    _ endpoint: URLReference, redirectURI: String?, state: Secret, hint: Secret?, for authority: Authority
  ) -> String {
    var url = endpoint
    var query = url.parameters
    if let redirectURI { query.appendMissing(["post_logout_redirect_uri": redirectURI]) }
    query.appendMissing(["state": state.reveal()])
    query.appendMissing(parameters.extraQueryParameters)
    if authority.kind == .oidc {
      // These parameters identify the user and the client (RP-Initiated Logout §2).
      if let hint { query.appendMissing(["id_token_hint": hint.reveal()]) }
      query.appendMissing(["client_id": parts.configuration.clientID])
    } else {
      query.appendMissing(ClientIdentity(configuration: parts.configuration).parameters)
    }
    url.query = FormCoding.serializeQuery(query)
    return url.text
  }

  private func checkState(_ url: String, _ sent: Secret) throws(MSALError) {
    guard let returned = ValidatedRedirect.parameters(of: url)["state"], ConstantTime.equal(returned, sent.reveal())
    else {
      let reason = "the `state` of the sign-out response does not match the request"
      parts.trace.recordDecision("redirect", "rejected", reason: reason)
      throw MSALError(.serverInvalidState, reason)
    }
  }
}
