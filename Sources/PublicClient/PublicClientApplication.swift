import Documents
import Effects
import IdentityPlatform
import OAuth
import RunTrace

/// MSALPublicClientApplication: accounts, tokens with and without the user, signing out.
///
/// It follows MSAL for Apple platforms, also where MSAL.NET and MSAL Python behave differently.
///
/// Everything from outside is given: the world's clock and randomness, the transport, the browser, the store of the token
/// cache, and the trace that is told each decision.
package final class PublicClientApplication: Sendable {
  private let parts: RequestDependencies
  /// The redirect URI after MSAL's rules, with what a broker would make of it.
  package let redirect: RedirectVerification.Outcome

  package var configuration: PublicClientConfiguration { parts.configuration }

  /// Checks the configuration as MSAL does when the object is made.
  /// - Parameter process: what this object shares with the others of its world.
  /// - Throws: a blank client id, an authority that public clients cannot use, a redirect URI against the rules.
  package init(
    configuration: PublicClientConfiguration, world: World, http: any HTTPTransport, browser: any Browser,
    store: any BlobStore, trace: TraceRecorder, process: ClientProcess = ClientProcess()
  ) throws(MSALError) {
    guard !configuration.clientID.isBlank else {
      throw MSALError(.invalidDeveloperParameter, "clientId is blank")
    }
    guard configuration.authority.isAcceptedByPublicClient else {
      throw MSALError(.unsupportedFunctionality, "MSAL's public client does not support ADFS authorities")
    }
    var verification = RedirectVerification(
      platform: configuration.platform, clientID: configuration.clientID, bundleID: configuration.bundleID,
      customURI: configuration.redirectURI)
    verification.registeredSchemes = configuration.registeredSchemes
    verification.querySchemes = configuration.querySchemes
    verification.bypassesValidation = configuration.bypassRedirectURIValidation
    verification.brokerAvailability = configuration.brokerAvailability
    verification.isAppExtension = configuration.isAppExtension
    redirect = verification.verify(for: configuration.authority)
    if let failure = redirect.failure { throw MSALError(failure) }
    parts = RequestDependencies(
      configuration: configuration, redirectURI: redirect.uri, world: world, http: http, browser: browser,
      store: store, trace: trace, process: process)
  }

  // MARK: Accounts

  /// allAccounts and accountsForParameters: the accounts that fit, those signed in unless asked otherwise.
  package func accounts(
    _ parameters: AccountEnumerationParameters = AccountEnumerationParameters()
  ) throws(MSALError) -> [Account] {
    try AccountDirectory(parts: parts).accounts(parameters)
  }

  /// accountForIdentifier: nil, and no error, where there is none.
  package func account(identifier: String) throws(MSALError) -> Account? {
    // As a filter, a blank one would let everybody's account through.
    guard !identifier.isBlank else { return nil }
    return try accounts(AccountEnumerationParameters(identifier: identifier)).first
  }

  /// accountForUsername: the account with this name in any of its tenants; nil, and no error, if there is none.
  /// - Throws: where the name is blank.
  package func account(username: String) throws(MSALError) -> Account? {
    guard !username.isBlank else {
      throw MSALError(.invalidDeveloperParameter, "the user name is blank")
    }
    return try accounts(AccountEnumerationParameters(username: username)).first
  }

  /// getCurrentAccount: the account, and the one before where it has changed since the last call.
  /// - Throws: `ambiguousAccount` where more than one is signed in.
  package func currentAccount() throws(MSALError) -> (account: Account?, previous: Account?) {
    let current = try CurrentAccount.find(parts)
    return (current.account, current.previous)
  }

  // MARK: Tokens

  /// acquireTokenSilent: from the cache, else by the refresh token; never with the user.
  package func acquireTokenSilent(_ parameters: SilentParameters) async throws(MSALError) -> TokenResult {
    try await SilentRequest(parts: parts, parameters: parameters).run()
  }

  /// acquireToken: with the user, in the browser.
  package func acquireToken(_ parameters: InteractiveParameters) async throws(MSALError) -> TokenResult {
    try await InteractiveRequest(parts: parts, parameters: parameters).run()
  }

  /// The device authorization grant: the user signs in elsewhere with a code.
  package func acquireTokenByDeviceCode(_ parameters: DeviceCodeParameters) async throws(MSALError) -> TokenResult {
    try await DeviceCodeRequest(parts: parts, parameters: parameters).run()
  }

  // MARK: Signing out

  /// signoutWithAccount.
  /// - Returns: the request that the browser was sent to and the pages that the user saw, if any.
  @discardableResult
  package func signOut(_ parameters: SignOutParameters) async throws(MSALError) -> (
    sent: SentRequest?, screens: [String]
  ) {
    let outcome = try await SignOutRequest(parts: parts, parameters: parameters).run()
    return (outcome.sent, outcome.screens)
  }

  /// removeAccount: signing out of this app only, without any page; nil succeeds and does nothing.
  package func remove(_ account: Account?) throws(MSALError) {
    guard let account else { return }
    try LocalSignOut(parts: parts, account: account).run()
  }

  // MARK: The device

  /// getDeviceInformation: there is neither a broker nor an SSO extension, so the mode is what the surroundings say.
  /// - Throws: `brokerNotAvailable` for authorities that no broker serves or that are not validated, and for apps that
  ///   take no broker, by their settings or by their redirect URI.
  package func deviceInformation() throws(MSALError) -> DeviceInformation {
    let configuration = parts.configuration
    guard configuration.authority.kind == .aad, configuration.isValidated(configuration.authority) else {
      throw MSALError(.brokerNotAvailable, "no broker serves \(configuration.authority.url)")
    }
    guard configuration.brokerAvailability == .auto, redirect.isBrokerCapable else {
      throw MSALError(.brokerNotAvailable, "this app takes no broker, by its settings or its redirect URI")
    }
    return DeviceInformation(
      deviceMode: configuration.deviceMode, hasSSOExtension: false, configuredPreferredAuthMethod: nil,
      platformSSOStatus: configuration.platform == .macOS ? .notEnabled : nil, extraDeviceInformation: [:])
  }
}
