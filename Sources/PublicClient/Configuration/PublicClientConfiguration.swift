import IdentityPlatform
import OAuth

/// Everything that MSALPublicClientApplicationConfig holds, with MSAL's defaults, and what MSAL reads from the app around it.
package struct PublicClientConfiguration: Sendable {
  package var clientID: String
  /// Nil for MSAL's default of the platform.
  package var redirectURI: String?
  package var authority: Authority
  /// Authorities that MSAL uses even if instance discovery rejects their host. Discovery is sent all the same, and each
  /// entry covers exactly its URL. Required for B2C and for hosts of your own.
  package var knownAuthorities: [Authority] = []
  /// False uses every authority, whatever instance discovery says about its host.
  package var validateAuthority = true
  /// Whether an expired token may still be returned while the service is down.
  package var extendedLifetimeEnabled = false
  /// What the app can do, such as `CP1` for claims challenges; goes into the claims request.
  package var clientApplicationCapabilities: [String]?
  /// How long before its end a token counts as expired.
  package var tokenExpirationBuffer = Duration.seconds(300)
  package var sliceConfig = SliceConfiguration()
  package var keychainSharingGroup: String?
  /// Asks the service to hand the user over to the cloud where they belong.
  package var multipleCloudsSupported = false
  package var bypassRedirectURIValidation = false
  package var extraQueryParameters = Parameters()
  package var nestedAuthBrokerClientID: String?
  package var nestedAuthBrokerRedirectURI: String?

  // What MSAL finds out by itself, from the app's bundle and the device.

  package var platform = ApplePlatform.macOS
  package var bundleID: String
  /// The schemes in the Info.plist's `CFBundleURLTypes`; nil where they are not known.
  package var registeredSchemes: [String]?
  /// The Info.plist's `LSApplicationQueriesSchemes`; nil where they are not known.
  package var querySchemes: [String]?
  package var isAppExtension = false
  package var brokerAvailability = RedirectVerification.BrokerAvailability.auto
  /// The app's version, `CFBundleVersion`.
  package var appVersion: String?
  package var deviceMode = DeviceMode.default
  /// Whether the `x-client-current-telemetry` and `x-client-last-telemetry` headers are sent.
  package var telemetryEnabled = true
  /// A secret that public test servers want; never sent to a Microsoft authority. MSAL knows nothing like it.
  package var testServerClientSecret: String?

  package init(clientID: String, authority: Authority, bundleID: String, redirectURI: String? = nil) {
    self.clientID = clientID
    self.authority = authority
    self.bundleID = bundleID
    self.redirectURI = redirectURI
  }

  /// Whether discovery decides about the authority. It does not for authorities that the app lists by their exact URL, nor
  /// for kinds that no discovery service knows.
  func isValidated(_ authority: Authority) -> Bool {
    guard validateAuthority, authority.kind != .ciam, authority.kind != .oidc else { return false }
    return !knownAuthorities.contains { $0.kind == authority.kind && $0.url == authority.url }
  }
}

/// Which slice and data center of the service answers; for the service's own tests.
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

/// Whether the device belongs to one user, or to whoever is at work.
package enum DeviceMode: String, Hashable, Sendable, CaseIterable {
  case `default`, shared
}
