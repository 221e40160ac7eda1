import IdentityPlatform
import OAuth

/// The configuration of a public client (`MSALPublicClientApplicationConfig`), with MSAL's default values. Also
/// contains the values that MSAL reads from the app bundle.
package struct PublicClientConfiguration: Sendable {
  package var clientID: String
  /// The redirect URI, or nil to use MSAL's default for the platform.
  package var redirectURI: String?
  package var authority: Authority
  /// Authorities that MSAL trusts even if instance discovery rejects the host. Each entry applies only to its exact
  /// URL. MSAL still sends the discovery request. B2C authorities and custom hosts must be listed here.
  package var knownAuthorities: [Authority] = []
  /// Whether instance discovery must validate authorities.
  package var validateAuthority = true
  /// Whether MSAL may return an expired token while the service is unavailable.
  package var extendedLifetimeEnabled = false
  /// The client capabilities for the claims request, such as `CP1` for claims challenges.
  package var clientApplicationCapabilities: [String]?
  /// How long before a token's expiration MSAL starts to treat the token as expired.
  package var tokenExpirationBuffer = Duration.seconds(300)
  package var sliceConfig = SliceConfiguration()
  package var keychainSharingGroup: String?
  /// Whether users from other national clouds can sign in (`instance_aware`).
  package var multipleCloudsSupported = false
  package var bypassRedirectURIValidation = false
  package var extraQueryParameters = Parameters()
  package var nestedAuthBrokerClientID: String?
  package var nestedAuthBrokerRedirectURI: String?

  // Values that MSAL reads from the app bundle and the device.

  package var platform = ApplePlatform.macOS
  package var bundleID: String
  /// The schemes in `CFBundleURLTypes` in Info.plist; nil if unknown.
  package var registeredSchemes: [String]?
  /// The schemes in `LSApplicationQueriesSchemes` in Info.plist; nil if unknown.
  package var querySchemes: [String]?
  package var isAppExtension = false
  package var brokerAvailability = RedirectVerification.BrokerAvailability.auto
  /// The app's version (`CFBundleVersion`).
  package var appVersion: String?
  package var deviceMode = DeviceMode.default
  /// Whether to send the `x-client-current-telemetry` and `x-client-last-telemetry` headers.
  package var telemetryEnabled = true
  /// A client secret that public test servers require. It is never sent to a Microsoft authority. MSAL has no such
  /// setting.
  package var testServerClientSecret: String?

  package init(clientID: String, authority: Authority, bundleID: String, redirectURI: String? = nil) {
    self.clientID = clientID
    self.authority = authority
    self.bundleID = bundleID
    self.redirectURI = redirectURI
  }

  /// Whether instance discovery must validate the authority. Authorities in `knownAuthorities`, CIAM authorities, and
  /// other OpenID Connect issuers do not require validation.
  func isValidated(_ authority: Authority) -> Bool {
    guard validateAuthority, authority.kind != .ciam, authority.kind != .oidc else { return false }
    return !knownAuthorities.contains { $0.kind == authority.kind && $0.url == authority.url }
  }
}

/// The slice and data center that process requests, for testing the service itself.
package struct SliceConfiguration: Hashable, Sendable {
  package var slice: String?
  package var dataCenter: String?

  package init(slice: String? = nil, dataCenter: String? = nil) {
    self.slice = slice
    self.dataCenter = dataCenter
  }

  var parameters: Parameters {
    var parameters = Parameters()
    parameters.append("slice", ifPresent: slice)
    parameters.append("dc", ifPresent: dataCenter)
    return parameters
  }
}

/// Whether the device belongs to one user or is shared by several.
package enum DeviceMode: String, Hashable, Sendable, CaseIterable {
  case `default`, shared
}
