import IdentityPlatform
import Testing

@Suite struct RedirectVerificationTests {
  static let bundle = "com.contoso.app"
  static let client = "6731de76-14a6-49ae-97bc-6eba6914391e"

  static let forms: [(String?, BrokerCapability)] = [
    (nil, .empty), ("", .empty), ("msauth.com.contoso.app://auth", .matched), ("x-msauth://com.contoso.app", .matched),
    ("https://com.contoso.app/x", .matched), ("https://contoso.com", .httpFormat),
    ("msauth.com.other://auth", .bundleMismatch),
    ("msauth.com.contoso.app://", .msauthWithoutHost), ("com.contoso.app", .missingScheme),
    ("urn:ietf:wg:oauth:2.0:oob", .outOfBand), ("myapp://", .missingHost), ("myapp://auth", .unknown),
  ]

  @Test(arguments: forms) func theFirstFormThatFitsDecides(uri: String?, capability: BrokerCapability) {
    #expect(BrokerCapability(classifying: uri, bundleID: Self.bundle) == capability)
    #expect((capability.words(bundleID: Self.bundle) == nil) == (capability == .matched))
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
      name: "mac default", platform: .macOS, schemes: nil, expectedURI: "msauth.com.contoso.app://auth", capable: true),
    Case(
      name: "mac ignores registration", platform: .macOS, queries: [], expectedURI: "msauth.com.contoso.app://auth",
      capable: true),
    Case(
      name: "iOS default", schemes: ["msauth.com.contoso.app"], expectedURI: "msauth.com.contoso.app://auth",
      capable: true),
    Case(name: "iOS older default", schemes: ["msal\(client)"], expectedURI: "msal\(client)://auth"),
    Case(name: "iOS nothing registered", failure: "redirectSchemeNotRegistered"),
    Case(
      name: "iOS unknown registration", schemes: nil, queries: nil, expectedURI: "msauth.com.contoso.app://auth",
      capable: true),
    Case(
      name: "query schemes incomplete", schemes: ["msauth.com.contoso.app"], queries: ["msauthv2"],
      expectedURI: "msauth.com.contoso.app://auth", failure: "redirectSchemeNotRegistered"),
    Case(
      name: "iOS fragment", uri: "msauth.com.contoso.app://auth#", schemes: nil,
      expectedURI: "msauth.com.contoso.app://auth#", failure: "unexpected"),
    Case(name: "iOS no scheme", uri: "auth", expectedURI: "auth", failure: "redirectSchemeNotRegistered"),
    Case(name: "mac no scheme", platform: .macOS, uri: "auth", expectedURI: "auth", failure: "invalidParameter"),
    Case(name: "iOS custom unregistered", uri: "my://x", expectedURI: "my://x", failure: "redirectSchemeNotRegistered"),
    Case(
      name: "https needs no scheme", uri: "https://x.com", expectedURI: "https://x.com", failure: "invalidRedirectURI"),
    Case(
      name: "consumers take anything", platform: .macOS, uri: "http://localhost",
      authority: "https://login.microsoftonline.com/consumers", expectedURI: "http://localhost"),
    Case(
      name: "CIAM takes anything", platform: .macOS, uri: "http://localhost", authority: "https://c.ciamlogin.com",
      expectedURI: "http://localhost"),
    Case(
      name: "organizations do not", platform: .macOS, uri: "http://localhost", expectedURI: "http://localhost",
      failure: "invalidRedirectURI"),
    Case(name: "bypass", uri: "invalid_uri", bypass: true, expectedURI: "invalid_uri"),
    Case(
      name: "bypass refuses a fragment on iOS", uri: "a://b#", bypass: true, expectedURI: "a://b#",
      failure: "unexpected"),
    Case(
      name: "bypass takes a fragment on macOS", platform: .macOS, uri: "a://b#", bypass: true, expectedURI: "a://b#"),
    Case(name: "bypass on iOS, nothing registered", bypass: true),
    Case(
      name: "bypass on iOS, default registered", schemes: ["msauth.com.contoso.app"], queries: [], bypass: true,
      expectedURI: "msauth.com.contoso.app://auth"),
    Case(
      name: "bypass on iOS, older default registered", schemes: ["msal\(client)"], bypass: true,
      expectedURI: "msal\(client)://auth"),
    Case(
      name: "bypass on macOS", platform: .macOS, bypass: true, expectedURI: "msauth.com.contoso.app://auth"),
  ]

  @Test(arguments: cases) func theApplicationObjectIsMadeOrNot(example: Case) throws {
    var verification = RedirectVerification(
      platform: example.platform, clientID: Self.client, bundleID: Self.bundle, customURI: example.uri)
    verification.registeredSchemes = example.schemes
    verification.querySchemes = example.queries
    verification.bypassesValidation = example.bypass
    let outcome = verification.verify(for: try Authority(parsing: example.authority))
    #expect(outcome.uri == example.expectedURI)
    #expect(outcome.isBrokerCapable == example.capable)
    #expect(outcome.failure?.outcome == example.failure)
  }

  @Test func anExtensionNeedsNoRegistration() throws {
    var verification = RedirectVerification(platform: .iOS, clientID: Self.client, bundleID: Self.bundle)
    verification.registeredSchemes = []
    verification.isAppExtension = true
    #expect(verification.verify(for: try Authority(parsing: WellKnown.defaultAuthority)).failure == nil)
  }

  @Test func withoutABrokerQuerySchemesDoNotMatter() throws {
    var verification = RedirectVerification(platform: .iOS, clientID: Self.client, bundleID: Self.bundle)
    verification.querySchemes = []
    verification.brokerAvailability = .none
    #expect(verification.verify(for: try Authority(parsing: WellKnown.defaultAuthority)).failure == nil)
  }
}
