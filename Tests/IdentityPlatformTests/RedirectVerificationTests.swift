import IdentityPlatform
import Testing

@Suite struct RedirectVerificationTests {
  static let bundle = "com.contoso.app"
  static let client = "6731de76-14a6-49ae-97bc-6eba6914391e"

  static let uris: [(String?, BrokerCapability)] = [
    (nil, .empty), ("", .empty), ("msauth.com.contoso.app://auth", .matched), ("x-msauth://com.contoso.app", .matched),
    ("https://com.contoso.app/x", .matched), ("https://contoso.com", .httpFormat),
    ("msauth.com.other://auth", .bundleMismatch),
    ("msauth.com.contoso.app://", .msauthWithoutHost), ("com.contoso.app", .missingScheme),
    ("urn:ietf:wg:oauth:2.0:oob", .outOfBand), ("myapp://", .missingHost), ("myapp://auth", .unknown),
  ]

  @Test("determines whether brokers support a redirect URI", arguments: uris)
  func brokerCapability(uri: String?, capability: BrokerCapability) {
    #expect(BrokerCapability(classifying: uri, bundleID: Self.bundle) == capability)
    #expect((capability.reason(bundleID: Self.bundle) == nil) == (capability == .matched))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var platform: ApplePlatform = .iOS
    var uri: String?
    var schemes: [String]? = []
    var queries: [String]? = ["msauthv2", "msauthv3"]
    var authority = "https://login.microsoftonline.com/common"
    var bypass = false
    var expectedURI: String?
    var capable = false
    var failure: String?
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(
      name: "macOS default", platform: .macOS, schemes: nil, expectedURI: "msauth.com.contoso.app://auth", capable: true
    ),
    Case(
      name: "macOS ignores registered schemes", platform: .macOS, queries: [],
      expectedURI: "msauth.com.contoso.app://auth",
      capable: true),
    Case(
      name: "iOS default", schemes: ["msauth.com.contoso.app"], expectedURI: "msauth.com.contoso.app://auth",
      capable: true),
    Case(name: "iOS legacy default", schemes: ["msal\(client)"], expectedURI: "msal\(client)://auth"),
    Case(name: "iOS without registered schemes", failure: "redirectSchemeNotRegistered"),
    Case(
      name: "iOS with unknown schemes", schemes: nil, queries: nil, expectedURI: "msauth.com.contoso.app://auth",
      capable: true),
    Case(
      name: "iOS with incomplete query schemes", schemes: ["msauth.com.contoso.app"], queries: ["msauthv2"],
      expectedURI: "msauth.com.contoso.app://auth", failure: "redirectSchemeNotRegistered"),
    Case(
      name: "iOS with fragment", uri: "msauth.com.contoso.app://auth#", schemes: nil,
      expectedURI: "msauth.com.contoso.app://auth#", failure: "unexpected"),
    Case(name: "iOS without scheme", uri: "auth", expectedURI: "auth", failure: "redirectSchemeNotRegistered"),
    Case(name: "macOS without scheme", platform: .macOS, uri: "auth", expectedURI: "auth", failure: "invalidParameter"),
    Case(
      name: "iOS with unregistered custom scheme", uri: "my://x", expectedURI: "my://x",
      failure: "redirectSchemeNotRegistered"),
    Case(
      name: "https URI", uri: "https://x.com", expectedURI: "https://x.com", failure: "invalidRedirectURI"),
    Case(
      name: "consumers allows any URI", platform: .macOS, uri: "http://localhost",
      authority: "https://login.microsoftonline.com/consumers", expectedURI: "http://localhost"),
    Case(
      name: "CIAM allows any URI", platform: .macOS, uri: "http://localhost", authority: "https://c.ciamlogin.com",
      expectedURI: "http://localhost"),
    Case(
      name: "common rejects an http URI", platform: .macOS, uri: "http://localhost", expectedURI: "http://localhost",
      failure: "invalidRedirectURI"),
    Case(name: "bypass", uri: "invalid_uri", bypass: true, expectedURI: "invalid_uri"),
    Case(
      name: "bypass on iOS, with fragment", uri: "a://b#", bypass: true, expectedURI: "a://b#",
      failure: "unexpected"),
    Case(
      name: "bypass on macOS, with fragment", platform: .macOS, uri: "a://b#", bypass: true, expectedURI: "a://b#"),
    Case(name: "bypass on iOS, without registered schemes", bypass: true),
    Case(
      name: "bypass on iOS, default registered", schemes: ["msauth.com.contoso.app"], queries: [], bypass: true,
      expectedURI: "msauth.com.contoso.app://auth"),
    Case(
      name: "bypass on iOS, legacy default registered", schemes: ["msal\(client)"], bypass: true,
      expectedURI: "msal\(client)://auth"),
    Case(
      name: "bypass on macOS", platform: .macOS, bypass: true, expectedURI: "msauth.com.contoso.app://auth"),
  ]

  @Test("accepts or rejects an app's redirect URI", arguments: cases)
  func verification(testCase: Case) throws {
    var verification = RedirectVerification(
      platform: testCase.platform, clientID: Self.client, bundleID: Self.bundle, customURI: testCase.uri)
    verification.registeredSchemes = testCase.schemes
    verification.querySchemes = testCase.queries
    verification.bypassesValidation = testCase.bypass
    let outcome = verification.verify(for: try Authority(parsing: testCase.authority))
    #expect(outcome.uri == testCase.expectedURI)
    #expect(outcome.isBrokerCapable == testCase.capable)
    #expect(outcome.failure?.outcome == testCase.failure)
  }

  @Test("does not require registered schemes in an app extension")
  func appExtension() throws {
    var verification = RedirectVerification(platform: .iOS, clientID: Self.client, bundleID: Self.bundle)
    verification.registeredSchemes = []
    verification.isAppExtension = true
    #expect(verification.verify(for: try Authority(parsing: WellKnown.defaultAuthority)).failure == nil)
  }

  @Test("does not require query schemes without a broker")
  func queriesWithoutBroker() throws {
    var verification = RedirectVerification(platform: .iOS, clientID: Self.client, bundleID: Self.bundle)
    verification.querySchemes = []
    verification.brokerAvailability = .none
    #expect(verification.verify(for: try Authority(parsing: WellKnown.defaultAuthority)).failure == nil)
  }
}
