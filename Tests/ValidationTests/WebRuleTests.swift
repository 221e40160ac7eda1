import Testing
import Validation

/// What the rules about appsettings and msal.js say, and pass over, beyond their own examples.
@Suite struct WebRuleTests {
  static let id = AndroidRuleTests.id

  static func section(_ members: String, named name: String = "AzureAd") -> [String] {
    AndroidRuleTests.told([("appsettings.json", #"{"Logging": {}, "\#(name)": {"ClientId": "\#(id)", \#(members)}}"#)])
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
    #""Instance": "http://auth-emulator:8080/", "TenantId": "contoso.com""#,
    #""Instance": "https://login.microsoftonline.com/", "TenantId": "common", "ClientCertificates": [{"SourceType": "storeWithThumbprint"}]"#,
    #""Instance": "https://login.microsoftonline.com/", "TenantId": "common" /* of all */,"#,
  ])
  func goodSectionsPass(members: String) { #expect(Self.section(members) == []) }

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
    (#""ClientCredentials": [{"SourceType": "Vault"}]"#, "azure-ad-credential: Vault"),
  ])
  func badSectionsAreFound(members: String, finding: String) { #expect(Self.section(members) == [finding]) }

  @Test func everySectionIsJudged() {
    let told = AndroidRuleTests.told([
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
      told == [
        "azure-ad-tenant: a", #"app-id-placeholder: "[Enter the client id]""#, "azure-ad-tenant: b",
        #"app-id-not-guid: "11111111-1111-1111-11111111111111111""#,
      ])
  }

  @Test func aClientIDMayComeFromElsewhere() {
    #expect(AndroidRuleTests.told([("a.json", #"{"AzureAd": {"TenantId": "common", "ClientId": ""}}"#)]) == [])
    #expect(AndroidRuleTests.told([("a.json", #"{"AzureAd": {"TenantId": "common"}}"#)]) == [])
  }

  static func msalJS(_ auth: String, _ others: String = "") -> [String] {
    AndroidRuleTests.told([("msal.json", #"{"auth": {"clientId": "\#(id)", \#(auth)}\#(others)}"#)])
  }

  @Test(arguments: [
    #""authority": "https://login.microsoftonline.com/common", "redirectUri": "/""#,
    #""authority": "https://login.microsoftonline.com/contoso.com/", "redirectUri": "http://localhost:3000/", "postLogoutRedirectUri": null"#,
    #""authority": "https://contoso.ciamlogin.com/", "redirectUri": "https://contoso.com""#,
    #""authority": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_x", "knownAuthorities": ["https://contoso.b2clogin.com/"]"#,
    #""authority": "https://login.contoso.com/x", "authorityMetadata": "{}", "redirectUri": "https://contoso.com""#,
    #""authority": "https://login.microsoftonline.com/${TENANT}", "redirectUri": "${ORIGIN}""#,
    #""authority": "https://login.microsoftonline.com/common", "redirectUri": "brk-multihub://localhost:3000""#,
    #""authority": "https://login.contoso.com/oidc", "protocolMode": "OIDC", "knownAuthorities": ["login.contoso.com"]"#,
  ])
  func goodConfigurationsPass(auth: String) { #expect(Self.msalJS(auth) == []) }

  @Test(arguments: [
    (
      #""authority": "http://login.microsoftonline.com/common""#,
      "msal-js-authority: http://login.microsoftonline.com/common"
    ),
    (#""authority": "https://login.microsoftonline.com/contoso""#, "msal-js-authority: contoso"),
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
  func badConfigurationsAreFound(auth: String, finding: String) { #expect(Self.msalJS(auth) == [finding]) }

  @Test func aServersSecretIsTheOtherRulesMatter() {
    let auth = #""authority": "https://login.microsoftonline.com/common", "clientSecret": "<secret>""#
    #expect(Self.msalJS(auth) == [])
    #expect(Self.msalJS(auth, #", "cache": {"cacheLocation": "localStorage"}"#) == [#"msal-js-secret: "clientSecret""#])
  }
}
