import IdentityPlatform
import Testing

@Suite struct AuthorityTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var text: String
    var kind: Authority.Kind
    var url: String
    var environment: String
    var tenant: Authority.Tenant?
    var policy: String?
    var testDescription: String { text }

    init(
      _ text: String, _ kind: Authority.Kind, _ url: String, _ environment: String, _ tenant: Authority.Tenant?,
      _ policy: String? = nil
    ) {
      (self.text, self.kind, self.url) = (text, kind, url)
      (self.environment, self.tenant, self.policy) = (environment, tenant, policy)
    }
  }

  static let unspecified: [Case] = [
    Case(
      "https://login.microsoftonline.com/common", .aad, "https://login.microsoftonline.com/common",
      "login.microsoftonline.com", .common),
    Case(
      "https://LOGIN.microsoftonline.com:443/Organizations/v2.0/?a=b#c", .aad,
      "https://login.microsoftonline.com/Organizations", "login.microsoftonline.com", .organizations),
    Case(
      "https://login.microsoftonline.us:8443/contoso.com/", .aad, "https://login.microsoftonline.us:8443/contoso.com",
      "login.microsoftonline.us:8443", .identifier("contoso.com")),
    Case(
      "https://login.microsoftonline.com/consumers", .aad, "https://login.microsoftonline.com/consumers",
      "login.microsoftonline.com", .consumers),
    Case(
      "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_s/more/still", .b2c,
      "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_s", "contoso.b2clogin.com",
      .identifier("contoso.onmicrosoft.com"), "B2C_1_s"),
    // Without `/tfp/` in the URL, an authority is B2C only if the app selects MSAL's B2C authority class.
    Case(
      "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_s", .aad,
      "https://contoso.b2clogin.com/contoso.onmicrosoft.com", "contoso.b2clogin.com",
      .identifier("contoso.onmicrosoft.com")),
    Case("https://fs.contoso.com/adfs/ls", .adfs, "https://fs.contoso.com/adfs", "fs.contoso.com", nil),
    Case(
      "https://contoso.ciamlogin.com", .ciam, "https://contoso.ciamlogin.com/contoso.onmicrosoft.com",
      "contoso.ciamlogin.com", .identifier("contoso.onmicrosoft.com")),
    Case(
      "https://contoso.ciamlogin.com/7bcd2220-f576-41b0-b47a-de4b6f2ebac1/x", .ciam,
      "https://contoso.ciamlogin.com/7bcd2220-f576-41b0-b47a-de4b6f2ebac1", "contoso.ciamlogin.com",
      .identifier("7bcd2220-f576-41b0-b47a-de4b6f2ebac1")),
  ]

  @Test("determines the authority type from the URL", arguments: unspecified)
  func unspecifiedKind(testCase: Case) throws {
    let authority = try Authority(parsing: testCase.text)
    #expect(authority.kind == testCase.kind)
    #expect(authority.url == testCase.url)
    #expect(authority.environment == testCase.environment)
    #expect(authority.tenant == testCase.tenant)
    #expect(authority.policy == testCase.policy)
  }

  static let specified: [(Authority.Kind, Case)] = [
    (
      .b2c,
      Case(
        "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_s/?x#y", .b2c,
        "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_s", "contoso.b2clogin.com",
        .identifier("contoso.onmicrosoft.com"), "B2C_1_s")
    ),
    (.b2c, Case("scheme://host:8080/x/y?k#f", .b2c, "scheme://host:8080/x/y", "host:8080", .identifier("x"), "y")),
    (
      .ciam,
      Case("https://id.contoso.com/t/", .ciam, "https://id.contoso.com/t", "id.contoso.com", .identifier("t"))
    ),
    (.oidc, Case("https://id.example.org/", .oidc, "https://id.example.org", "id.example.org", nil)),
    (.oidc, Case("http://[::1]:4593/a", .oidc, "http://[::1]:4593/a", "[::1]:4593", nil)),
    (.oidc, Case("http://127.0.0.1:80", .oidc, "http://127.0.0.1", "127.0.0.1", nil)),
  ]

  @Test("parses the URL of a specified authority type", arguments: specified)
  func specifiedKind(kind: Authority.Kind, testCase: Case) throws {
    let authority = try Authority(parsing: testCase.text, as: kind)
    #expect(authority.kind == testCase.kind)
    #expect(authority.url == testCase.url)
    #expect(authority.environment == testCase.environment)
    #expect(authority.tenant == testCase.tenant)
    #expect(authority.policy == testCase.policy)
  }

  static let invalid: [(String, Authority.Kind?, AuthorityError)] = [
    ("", nil, .blank), (" \n", nil, .blank), ("https://login.microsoftonline.com/common\n", nil, .whiteSpace),
    ("http://login.microsoftonline.com/common", nil, .notHTTPS(scheme: "http")),
    ("login.microsoftonline.com/common", nil, .notHTTPS(scheme: nil)), ("https:///common", nil, .missingHost),
    ("https://login.microsoftonline.com", nil, .missingTenant),
    ("https://login.microsoftonline.com/", nil, .missingTenant),
    ("https://login.microsoftonline.com/<tenant>", nil, .malformed(illegal: "<")),
    ("https://host:99999/x", nil, .malformed(illegal: nil)), ("https://ciamlogin.com/x", nil, .missingSubdomain),
    ("https://x.b2clogin.com/tfp/x.onmicrosoft.com", nil, .incompletePolicyPath(segments: 2)),
    ("https://fs.contoso.com/adfs", .aad, .wrongKind(expected: .aad, found: .adfs)),
    ("http://id.example.org", .oidc, .httpBeyondLoopback(host: "id.example.org")),
    ("http://localhost.example.org", .oidc, .httpBeyondLoopback(host: "localhost.example.org")),
    ("ftp://localhost", .oidc, .notHTTPS(scheme: "ftp")),
  ]

  @Test("rejects invalid authorities with a message and help", arguments: invalid.indices)
  func invalidAuthority(index: Int) {
    let (text, kind, error) = Self.invalid[index]
    #expect(throws: error) {
      if let kind { _ = try Authority(parsing: text, as: kind) } else { _ = try Authority(parsing: text) }
    }
    #expect(!error.message.isEmpty && !error.help.isEmpty)
  }

  @Test("replaces the tenant in the URL")
  func replacedTenant() throws {
    let organization = try Authority(parsing: "https://login.microsoftonline.com/common").replacingTenant(
      with: "contoso.com")
    #expect(organization.url == "https://login.microsoftonline.com/contoso.com")
    #expect(organization.tenant == .identifier("contoso.com"))
    let flow = try Authority(parsing: "https://c.b2clogin.com/tfp/a/B2C_1_x").replacingTenant(with: "b")
    #expect(flow.url == "https://c.b2clogin.com/tfp/b/B2C_1_x")
    #expect(flow.policy == "B2C_1_x")
  }

  @Test("creates an authority from an audience and a tenant, or rejects the combination")
  func audience() throws {
    #expect(
      try Authority(cloud: .china, audience: .multipleOrgs, rawTenant: nil).url
        == "https://login.chinacloudapi.cn/organizations")
    #expect(
      try Authority(cloud: .public, audience: .myOrg, rawTenant: "t").url == "https://login.microsoftonline.com/t")
    #expect(try Authority(cloud: .public, audience: nil, rawTenant: nil).url == WellKnown.defaultAuthority)
    #expect(throws: AuthorityError.tenantNotAllowed(.personal)) {
      try Authority(cloud: .public, audience: .personal, rawTenant: "t")
    }
    #expect(throws: AuthorityError.tenantRequired(.myOrg)) {
      try Authority(cloud: .public, audience: .myOrg, rawTenant: nil)
    }
  }

  @Test("uses a trusted host for instance discovery")
  func instanceDiscovery() throws {
    let known = try Authority(parsing: "https://login.microsoftonline.us/common")
    #expect(
      known.instanceDiscoveryURL
        == "https://login.microsoftonline.us/common/discovery/instance?api-version=1.1&authorization_endpoint=https://login.microsoftonline.us/common/oauth2/v2.0/authorize"
    )
    let unknown = try Authority(parsing: "https://id.contoso.com/a&b")
    #expect(unknown.instanceDiscoveryURL?.hasPrefix("https://login.microsoftonline.com/common/") == true)
    #expect(unknown.instanceDiscoveryURL?.contains("a%26b") == true)
    #expect(try Authority(parsing: "https://c.ciamlogin.com").instanceDiscoveryURL == nil)
  }

  @Test("determines the URL of the discovery document from the authority type")
  func openIDConfiguration() throws {
    #expect(
      try Authority(parsing: "https://login.microsoftonline.com/common").openIDConfigurationURL
        == "https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration")
    #expect(
      try Authority(parsing: "https://id.example.org/", as: .oidc).openIDConfigurationURL
        == "https://id.example.org/.well-known/openid-configuration")
  }

  @Test("writes an IPv6 host in brackets, like the host of an issuer")
  func hostInBrackets() throws {
    #expect(try Authority(parsing: "https://[::1]:8443/common").host == "[::1]")
  }

  @Test("lists the preferred cache host as the first alias")
  func aliases() throws {
    #expect(
      try Authority(parsing: "https://sts.windows.net/x").aliases
        == ["login.windows.net", "sts.windows.net", "login.microsoftonline.com", "login.microsoft.com"])
    #expect(try Authority(parsing: "https://id.contoso.com:8443/x").aliases == ["id.contoso.com:8443"])
  }
}
