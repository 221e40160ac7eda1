import Documents
import Effects
import IdentityPlatform
import OAuth
import RunTrace

/// The public client (`MSALPublicClientApplication`): accounts, silent and interactive requests, and sign-out.
///
/// The client follows MSAL for Apple platforms, even when MSAL.NET and MSAL Python behave differently.
package final class PublicClientApplication: Sendable {
  private let parts: RequestDependencies
  /// The redirect URI according to MSAL's rules, and whether brokers support it.
  package let redirect: RedirectVerification.Outcome

  package var configuration: PublicClientConfiguration { parts.configuration }

  /// Creates a client and validates its configuration as MSAL does.
  /// - Throws: An error if the client ID is blank, the authority is not supported, or the redirect URI is not valid.
  package init(
    configuration: PublicClientConfiguration, environment: ClientEnvironment
  ) throws(MSALError) {
    guard !configuration.clientID.isBlank else {
      throw MSALError(.invalidDeveloperParameter, "`clientId` is blank")
    }
    guard configuration.authority.isAcceptedByPublicClient else {
      throw MSALError(.unsupportedFunctionality, "MSAL's public client does not support AD FS authorities")
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
      configuration: configuration, redirectURI: redirect.uri, environment: environment)
  }

  // MARK: - Accounts

  /// Returns the matching accounts (`allAccounts`, `accountsForParameters`). By default, returns only signed-in
  /// accounts.
  package func accounts(
    _ parameters: AccountEnumerationParameters = AccountEnumerationParameters()
  ) throws(MSALError) -> [Account] {
    try AccountDirectory(parts: parts).accounts(parameters)
  }

  /// Returns the account with this identifier (`accountForIdentifier`), or nil if there is none.
  package func account(identifier: String) throws(MSALError) -> Account? {
    // A blank filter would match all accounts.
    guard !identifier.isBlank else { return nil }
    return try accounts(AccountEnumerationParameters(identifier: identifier)).first
  }

  /// Returns the account with this username in any tenant (`accountForUsername`), or nil if there is none.
  /// - Throws: An error if the username is blank.
  package func account(username: String) throws(MSALError) -> Account? {
    guard !username.isBlank else {
      throw MSALError(.invalidDeveloperParameter, "`username` is blank")
    }
    return try accounts(AccountEnumerationParameters(username: username)).first
  }

  /// Returns the current account, and the previous one if it has changed since the last call (`getCurrentAccount`).
  /// - Throws: `ambiguousAccount` if more than one account is signed in.
  package func currentAccount() throws(MSALError) -> (account: Account?, previous: Account?) {
    let current = try CurrentAccount.find(parts)
    return (current.account, current.previous)
  }

  // MARK: - Tokens

  /// Acquires a token from the cache or with a refresh token, without user interaction (`acquireTokenSilent`).
  package func acquireTokenSilent(_ parameters: SilentParameters) async throws(MSALError) -> TokenResult {
    try await SilentRequest(parts: parts, parameters: parameters).run()
  }

  /// Acquires a token interactively in the browser (`acquireToken`).
  package func acquireToken(_ parameters: InteractiveParameters) async throws(MSALError) -> TokenResult {
    try await InteractiveRequest(parts: parts, parameters: parameters).run()
  }

  /// Acquires a token with the device authorization grant (RFC 8628): the user signs in on another device.
  package func acquireTokenByDeviceCode(_ parameters: DeviceCodeParameters) async throws(MSALError) -> TokenResult {
    try await DeviceCodeRequest(parts: parts, parameters: parameters).run()
  }

  // MARK: - Sign-out

  /// Signs out an account (`signoutWithAccount`).
  /// - Returns: The browser request and the pages that the user saw, if any.
  @discardableResult
  package func signOut(_ parameters: SignOutParameters) async throws(MSALError) -> (
    sent: SentRequest?, screens: [String]
  ) {
    let outcome = try await SignOutRequest(parts: parts, parameters: parameters).run()
    return (outcome.sent, outcome.screens)
  }

  /// Signs out an account from this app only, without showing a page (`removeAccount`). Does nothing if the account is
  /// nil.
  package func remove(_ account: Account?) throws(MSALError) {
    guard let account else { return }
    try LocalSignOut(parts: parts, account: account).run()
  }

  // MARK: - Device

  /// Returns information about the device (`getDeviceInformation`). authflow does not support brokers or SSO
  /// extensions, so the configuration determines the device mode.
  /// - Throws: `brokerNotAvailable` if the authority does not support brokers or is not validated, or if the settings
  ///   or the redirect URI prevent the app from using a broker.
  package func deviceInformation() throws(MSALError) -> DeviceInformation {
    let configuration = parts.configuration
    guard configuration.authority.kind == .aad, configuration.isValidated(configuration.authority) else {
      throw MSALError(.brokerNotAvailable, "brokers do not support \(configuration.authority.url)")
    }
    guard configuration.brokerAvailability == .auto, redirect.isBrokerCapable else {
      throw MSALError(.brokerNotAvailable, "the app's settings or redirect URI do not allow a broker")
    }
    return DeviceInformation(
      deviceMode: configuration.deviceMode, hasSSOExtension: false, configuredPreferredAuthMethod: nil,
      platformSSOStatus: configuration.platform == .macOS ? .notEnabled : nil, extraDeviceInformation: [:])
  }
}
