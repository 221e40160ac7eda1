import Diagnostics
import Testing
import Validation

/// Tests findings of the appsettings and msal.js rules that the rules' examples do not cover.
@Suite struct WebRuleTests {
  static let id = AndroidRuleTests.id

  static func section(_ members: String, named name: String = "AzureAd") -> [String] {
    AndroidRuleTests.findings([
      ("appsettings.json", #"{"Logging": {}, "\#(name)": {"ClientId": "\#(id)", \#(members)}}"#)
    ])
  }

  @Test(arguments: [
    #""Instance": "https://login.microsoftonline.com/", "TenantId": "organizations""#,
    #""Instance": "https://login.microsoftonline.com", "TenantId": "contoso.com", "CallbackPath": "/signin-oidc""#,
    #""Instance": "", "TenantId": "", "Domain": """#,
    #""Instance": "https://login.microsoftonline.com/{0}", "TenantId": "common""#,
    #""Instance": "https://fs.contoso.com/adfs/", "TenantId": "anything""#,
    #""Instance": "https://contoso.b2clogin.com", "Domain": "contoso.onmicrosoft.com", "SignUpSignInPolicyId": "B2C_1_x""#,
    #""Instance": "https://contoso.ciamlogin.com/", "TenantId": "7bcd2220-f576-41b0-b47a-de4b6f2ebac1""#,
    #""Authority": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_x", "ValidateAuthority": false"#,
    ##""Instance": "https://login.microsoftonline.us/", "TenantId": "#{tenant}#", "Scopes": "access_as_user""##,
    #""Instance": "https://login.microsoftonline.com/", "TenantId": "__TENANT__", "Tenant": "x", "RedirectUri": "http://localhost""#,
    #""Instance": "https://login.microsoftonline.com/", "TenantId": "common", "ClientSecret": "<from user secrets>""#,
    #""Instance": "https://login.microsoftonline.com/", "TenantId": "common", "Audience": "api://${API}""#,
    #""Instance": "https://login.contoso.com", "Domain": "contoso.com", "SignUpSignInPolicyId": "b2c_1a_signin""#,
    #""Instance": "http://auth-emulator:8080/", "TenantId": "contoso.com""#,
    #""Instance": "https://login.microsoftonline.com/", "TenantId": "common", "ClientCertificates": [{"SourceType": "storeWithThumbprint"}]"#,
    #""Instance": "https://login.microsoftonline.com/", "TenantId": "common" /* of all */,"#,
  ])
  func acceptsValidSections(members: String) { #expect(Self.section(members) == []) }

  @Test(arguments: [
    (#""TenantId": "{TENANT ID}""#, "azure-ad-placeholder: {TENANT ID}"),
    (
      #""Instance": "https://<your-tenant>.b2clogin.com", "Domain": "contoso.onmicrosoft.com""#,
      "azure-ad-placeholder: <your-tenant>"
    ),
    (#""Instance": "http://login.microsoftonline.com/""#, "azure-ad-instance: http://login.microsoftonline.com/"),
    (#""Instance": "login.microsoftonline.com""#, "azure-ad-instance: login.microsoftonline.com"),
    (
      #""Instance": "https://login.microsoftonline.com/contoso.com", "TenantId": "contoso.com""#,
      "azure-ad-instance: https://login.microsoftonline.com/contoso.com"
    ),
    (#""TenantId": "22222222-2222-2222-2222-222222222222""#, "azure-ad-tenant: 22222222-2222-2222-2222-222222222222"),
    (#""CallbackPath": "signin-oidc""#, "azure-ad-path: signin-oidc"),
    (#""TenantId": "common", "Audience": "api://<GUID>""#, "azure-ad-placeholder: <GUID>"),
    (#""TenantId": "common", "Audiences": ["api://contoso", "api://<web api>"]"#, "azure-ad-placeholder: <web api>"),
    (
      #""TenantId": "common", "ClientSecret": "[Enter here a client secret for your application]""#,
      #"azure-ad-placeholder: "[Enter here a client secret for your application]""#
    ),
    (
      #""Instance": "https://contoso.b2clogin.com", "Domain": "contoso.com", "SignUpSignInPolicyId": "2C_1_signin""#,
      "azure-ad-b2c: 2C_1_signin"
    ),
    (
      #""Instance": "https://login.contoso.com", "Domain": "contoso.com", "SignUpSignInPolicyId": "B2C_1A_signin", "EditProfilePolicyId": "edit""#,
      "azure-ad-b2c: edit"
    ),
    (#""ClientCredentials": [{"SourceType": "Vault"}]"#, "azure-ad-credential: Vault"),
  ])
  func reportsInvalidSections(members: String, finding: String) { #expect(Self.section(members) == [finding]) }

  @Test func checksEverySection() {
    let findings = AndroidRuleTests.findings([
      (
        "appsettings.json",
        """
        {"AzureAd": {"ClientId": "\(Self.id)", "TenantId": "a"},
         "Auth": {"AzureAdB2C": {"ClientId": "[Enter the client id]", "Domain": "contoso.onmicrosoft.com"}},
         "Entra": {"Instance": "https://login.microsoftonline.com/", "TenantId": "b", "ClientId": "11111111-1111-1111-11111111111111111"}}
        """
      )
    ])
    #expect(
      findings == [
        "azure-ad-tenant: a", #"app-id-placeholder: "[Enter the client id]""#, "azure-ad-tenant: b",
        #"app-id-not-guid: "11111111-1111-1111-11111111111111111""#,
      ])
  }

  /// In deployments and function apps, a single key contains the entire path of a value.
  @Test(arguments: [
    (#"{"AzureAd:ClientId": "\#(id)", "AzureAd:TenantId": "contoso"}"#, ["azure-ad-tenant: contoso"]),
    (
      #"{"Values": {"AzureAd__Instance": "http://login.microsoftonline.com/", "AzureAd__ClientId": "<id>"}}"#,
      ["azure-ad-instance: http://login.microsoftonline.com/", #"app-id-placeholder: "<id>""#]
    ),
    (
      #"{"AzureAd:TenantId": "a", "AzureAdB2C:ClientId": "<b>"}"#,
      ["azure-ad-tenant: a", #"app-id-placeholder: "<b>""#]
    ),
    (#"{"AzureAd:ClientId": "\#(id)", "AzureAd:TenantId": "contoso.com", "AzureAd:Scopes:0": "User.Raed"}"#, []),
    (#"{"AzureAd:Comment": "<none>", "Google:ClientId": "<id>"}"#, []),
  ])
  func readsSectionsWithCompoundKeys(text: String, findings: [String]) {
    #expect(AndroidRuleTests.findings([("appsettings.json", text)]) == findings)
  }

  /// The scopes of an API that is configured next to the `AzureAd` section.
  @Test(arguments: [
    (
      #""BaseUrl": "https://graph.microsoft.com/v1.0", "Scopes": "user.read User.Raed""#,
      ["permission-unknown: User.Raed"]
    ),
    (
      #""BaseUrl": "https://graph.microsoft.com/v1.0", "Scopes": ["https://graph.microsoft.com/.default", "User.Read"]"#,
      [#"default-scope-mixed: "https://graph.microsoft.com/.default""#]
    ),
    (
      #""BaseUrl": "https://localhost:44351", "Scopes": ["api://<client id>/read"]"#,
      ["azure-ad-placeholder: <client id>"]
    ),
    (#""BaseUrl": "https://localhost:44351", "Scopes": "User.Raed""#, []),
    (#""BaseUrl": "https://localhost:44351", "Scopes": "api://contoso/a api://contoso/b""#, []),
    (#""Scopes": "User.Raed""#, []), (#""BaseUrl": "https://graph.microsoft.com/v1.0", "Scopes": "User.Read""#, []),
  ])
  func checksScopesOfAPIs(api: String, findings: [String]) {
    let section = #""AzureAd": {"ClientId": "\#(Self.id)", "TenantId": "common"}"#
    for name in [#""DownstreamApi": {\#(api)}"#, #""DownstreamApis": {"First": {\#(api)}}"#] {
      #expect(AndroidRuleTests.findings([("appsettings.json", "{\(section), \(name)}")]) == findings)
    }
  }

  @Test func checksADaemonsSecretOutsideAnAzureAdSection() {
    let text = """
      {"Instance": "https://login.microsoftonline.com/{0}", "TenantId": "contoso.com", "ClientId": "\(Self.id)",
       "ClientSecret": "[Enter here a client secret for your application]"}
      """
    let expected = #"azure-ad-placeholder: "[Enter here a client secret for your application]""#
    #expect(AndroidRuleTests.findings([("appsettings.json", text)]) == [expected])
  }

  @Test func acceptsAMissingClientID() {
    #expect(AndroidRuleTests.findings([("a.json", #"{"AzureAd": {"TenantId": "common", "ClientId": ""}}"#)]) == [])
    #expect(AndroidRuleTests.findings([("a.json", #"{"AzureAd": {"TenantId": "common"}}"#)]) == [])
  }

  static func msalJS(_ auth: String, _ others: String = "") -> [String] {
    AndroidRuleTests.findings([("msal.json", #"{"auth": {"clientId": "\#(id)", \#(auth)}\#(others)}"#)])
  }

  @Test(arguments: [
    #""authority": "https://login.microsoftonline.com/common", "redirectUri": "/""#,
    #""authority": "https://login.microsoftonline.com/contoso.com/v2.0", "redirectUri": "/""#,
    #""authority": "https://login.microsoftonline.com/contoso.com/", "redirectUri": "http://localhost:3000/", "postLogoutRedirectUri": null"#,
    #""authority": "https://contoso.ciamlogin.com/", "redirectUri": "https://contoso.com""#,
    #""authority": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_x", "knownAuthorities": ["https://contoso.b2clogin.com/"]"#,
    #""authority": "https://login.contoso.com/x", "authorityMetadata": "{}", "redirectUri": "https://contoso.com""#,
    #""authority": "https://login.microsoftonline.com/${TENANT}", "redirectUri": "${ORIGIN}""#,
    #""authority": "https://login.microsoftonline.com/common", "redirectUri": "brk-multihub://localhost:3000""#,
    #""authority": "https://login.contoso.com/oidc", "protocolMode": "OIDC", "knownAuthorities": ["login.contoso.com"]"#,
  ])
  func acceptsValidConfigurations(auth: String) { #expect(Self.msalJS(auth) == []) }

  @Test(arguments: [
    (
      #""authority": "http://login.microsoftonline.com/common""#,
      "msal-js-authority: http://login.microsoftonline.com/common"
    ),
    (#""authority": "https://login.microsoftonline.com/contoso""#, "msal-js-authority: contoso"),
    (
      #""authority": "https://login.microsoftonline.com/common/oauth2/authorize?resource=https://contoso.com""#,
      "msal-js-authority: https://login.microsoftonline.com/common/oauth2/authorize?resource=https://contoso.com"
    ),
    (#""authority": "https://login.microsoftonline.com/common?p=x""#, "msal-js-authority: ?p=x"),
    (
      #""authority": "https://contoso.b2clogin.com/contoso.com/b2c_1_x/oauth2/v2.0/token", "knownAuthorities": ["contoso.b2clogin.com"]"#,
      "msal-js-authority: https://contoso.b2clogin.com/contoso.com/b2c_1_x/oauth2/v2.0/token"
    ),
    (
      #""authority": "https://login.contoso.com/x", "knownAuthorities": ["login.adatum.com"]"#,
      "msal-js-known-authorities: https://login.contoso.com/x"
    ),
    (
      #""authority": "https://login.microsoftonline.com/common", "redirectUri": "http://contoso.com""#,
      "msal-js-redirect: http://contoso.com"
    ),
    (
      #""authority": "https://login.microsoftonline.com/common", "redirectUri": "https://contoso.com/#/home""#,
      "msal-js-redirect: https://contoso.com/#/home"
    ),
    (#""knownAuthorities": [], "protocolMode": "oidc""#, "msal-js-option: oidc"),
  ])
  func reportsInvalidConfigurations(auth: String, finding: String) { #expect(Self.msalJS(auth) == [finding]) }

  @Test func findsAConfigurationUnderAnotherKey() {
    let text = #"{"msal": {"auth": {"clientId": "\#(Self.id)", "redirectUri": "http://contoso.com"}}, "guard": {}}"#
    #expect(AndroidRuleTests.findings([("configuration.json", text)]) == ["msal-js-redirect: http://contoso.com"])
  }

  @Test(arguments: [
    (#""tenantId": "contoso.com""#, #""redirectUri": "http://localhost:4200""#, []),
    (#""tenantId": "contoso""#, #""redirectUri": "http://localhost:4200""#, ["msal-js-authority: contoso"]),
    (#""tenantId": "<tenant>""#, #""postLogoutRedirectUri": "/""#, ["msal-js-authority: <tenant>"]),
    (
      #""tenantId": "common""#, #""redirectUri": "http://a.com/", "postLogoutRedirectUri": "http://b.com/""#,
      ["msal-js-redirect: http://a.com/", "msal-js-redirect: http://b.com/"]
    ),
  ])
  func readsTheFormatOfTheSamples(tenant: String, redirect: String, findings: [String]) {
    let text = #"""
      {"credentials": {"clientId": "\#(Self.id)", \#(tenant)}, "configuration": {\#(redirect)}, "resources": {}}
      """#
    #expect(AndroidRuleTests.findings([("auth-config.json", text)]) == findings)
  }

  @Test func ignoresCredentialsOfOtherLibraries() {
    let text =
      #"{"credentials": {"clientId": "abc.apps.example.com"}, "configuration": {"redirectUri": "http://a.com"}}"#
    #expect(AndroidRuleTests.findings([("auth-config.json", text)]) == [])
  }

  @Test func reportsASecretOnlyInTheConfigurationOfABrowserApp() {
    let auth = #""authority": "https://login.microsoftonline.com/common", "clientSecret": "<secret>""#
    #expect(Self.msalJS(auth) == [])
    #expect(Self.msalJS(auth, #", "cache": {"cacheLocation": "localStorage"}"#) == [#"msal-js-secret: "<secret>""#])
  }

  static func rules(_ text: String, named name: String = "appsettings.json") -> [String] {
    AndroidFixTests.findings(text, named: name).map(\.rule)
  }

  @Test(arguments: [
    (#", "cache": {"cacheLocation": "localStorage"}"#, ["msal-js-secret"]), ("", ["secret-committed"]),
  ])
  func reportsOneSecretOnceWithoutShowingIt(others: String, expected: [String]) throws {
    let secret = "Zm9vYmFyYmF6cXV1eA"
    for authority in [
      "", #""authority": "https://login.microsoftonline.com/common", "#, #""tenantId": "contoso.com", "#,
    ] {
      let text = #"{"auth": {"clientId": "\#(Self.id)", \#(authority)"clientSecret": "\#(secret)"}\#(others)}"#
      let findings = AndroidFixTests.findings(text, named: "msal.json")
      #expect(findings.map(\.rule) == expected)
      #expect(findings.allSatisfy { !CaretFrame(color: false).render($0).contains(secret.suffix(9)) })
    }
  }

  @Test func recognizesAConfigurationByItsInstance() {
    func text(_ host: String) -> String {
      #"{"auth": {"clientId": "web", "cloudInstance": "https://\#(host)/", "clientSecret": "Zm9vYmFyYmF6cXV1eA"}}"#
    }
    #expect(Self.rules(text("login.microsoftonline.com"), named: "a.json").contains("secret-committed"))
    #expect(!Self.rules(text("login.contoso.com"), named: "a.json").contains("secret-committed"))
  }

  /// Validation does not report comments, because the .NET reader and Gson support them. Gson does not support a
  /// trailing comma.
  @Test func acceptsCommentsThatTheReaderSupports() {
    let section = #"{"AzureAd": {"ClientId": "\#(Self.id)", "TenantId": "common", /* all */}} // end"#
    #expect(Self.rules(section) == [])
    let config = AndroidRuleTests.config("msauth://com.contoso.app/\(AndroidRuleTests.hash)")
    #expect(Self.rules("// mine\n" + config, named: "a.json") == [])
    #expect(Self.rules(config.dropLast() + ",}", named: "a.json") == ["trailing-comma"])
  }

  @Test(arguments: [
    (#""Instance": "https://sts.windows.net/", "TenantId": "contoso.com""#, ["azure-ad-instance"]),
    (#""Authority": "https://login.windows.net/contoso.com""#, ["azure-ad-instance"]),
    (
      #""Instance": "https://login.microsoftonline.com/tfp/", "Domain": "contoso.onmicrosoft.com", "SignUpSignInPolicyId": "B2C_1_x""#,
      ["azure-ad-b2c"]
    ),
    (
      #""Instance": "https://login.windows.net/tfp/", "Domain": "contoso.onmicrosoft.com", "SignUpSignInPolicyId": "B2C_1_x""#,
      ["azure-ad-b2c"]
    ),
  ])
  func reportsAnOutdatedHostOnce(members: String, rules: [String]) {
    #expect(Self.rules(#"{"AzureAd": {"ClientId": "\#(Self.id)", \#(members)}}"#) == rules)
  }
}
