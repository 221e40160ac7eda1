import AppRegistration
import Documents
import IdentityPlatform
import Testing

/// All formats of the same registration produce the same result.
@Suite struct AppManifestTests {
  static let id = "6731de76-14a6-49ae-97bc-6eba6914391e"
  static let access = #"""
    "requiredResourceAccess": [{"resourceAppId": "00000003-0000-0000-c000-000000000000",
      "resourceAccess": [{"id": "e1fe6dd8-ba31-4d61-89e7-88639da4683d", "type": "Scope"}]}]
    """#

  static func read(_ text: String) throws -> [AppManifest] {
    let document = try #require(DocumentReader.read(Array(text.utf8), named: "app.json").document)
    #expect(AppRegistrationKind.recognize(document) == .appManifest)
    var problems = DiagnosticCollector()
    return AppManifest.read(document.root, &problems)
  }

  static let portal = #"""
    {"id": "5b1e3c2a-7f0d-4d8e-9a41-0c6b8f2d7e93", "appId": "\#(id)", "name": "Contoso", "signInAudience": "AzureADMyOrg",
     "allowPublicClient": true, "accessTokenAcceptedVersion": 2, "oauth2AllowIdTokenImplicitFlow": true,
     "oauth2AllowImplicitFlow": false, "identifierUris": ["api://x"], "logoutUrl": "https://contoso.com/out",
     "replyUrlsWithType": [{"url": "msauth.com.contoso.app://auth", "type": "InstalledClient"},
       {"url": "https://contoso.com", "type": "Web"}, {"url": "https://contoso.com/spa", "type": "Spa"}],
     "oauth2Permissions": [{"id": "a", "value": "Read"}], "appRoles": [{"id": "b", "value": "Reader"}],
     "preAuthorizedApplications": [{"appId": "c", "permissionIds": ["d"]}],
     "passwordCredentials": [{"startDate": "2024-01-01", "endDate": "2025-01-01", "value": "s"}], \#(access)}
    """#
  static let graph = #"""
    {"id": "5b1e3c2a-7f0d-4d8e-9a41-0c6b8f2d7e93", "appId": "\#(id)", "displayName": "Contoso",
     "signInAudience": "AzureADMyOrg", "isFallbackPublicClient": true, "identifierUris": ["api://x"],
     "publicClient": {"redirectUris": ["msauth.com.contoso.app://auth"]}, "spa": {"redirectUris": ["https://contoso.com/spa"]},
     "web": {"redirectUris": ["https://contoso.com"], "logoutUrl": "https://contoso.com/out",
       "implicitGrantSettings": {"enableIdTokenIssuance": true, "enableAccessTokenIssuance": false}},
     "api": {"requestedAccessTokenVersion": 2, "oauth2PermissionScopes": [{"id": "a", "value": "Read"}],
       "preAuthorizedApplications": [{"appId": "c", "delegatedPermissionIds": ["d"]}]},
     "appRoles": [{"id": "b", "value": "Reader"}],
     "passwordCredentials": [{"startDateTime": "2024-01-01", "endDateTime": "2025-01-01", "secretText": "s"}], \#(access)}
    """#

  @Test(arguments: [(portal, AppManifest.Dialect.portal), (graph, .graph)])
  func readsBothFormatsTheSameWay(text: String, dialect: AppManifest.Dialect) throws {
    let manifest = try #require(Self.read(text).first)
    #expect(manifest.dialect == dialect)
    #expect(manifest.appID?.value == Self.id)
    #expect(manifest.objectID?.value == "5b1e3c2a-7f0d-4d8e-9a41-0c6b8f2d7e93")
    #expect(manifest.name?.value == "Contoso")
    #expect(manifest.audience == .myOrg)
    #expect(manifest.tokenVersion?.value == 2)
    #expect(manifest.isPublicClient?.value == true)
    let redirects = Set(manifest.redirects.map { "\($0.kind?.rawValue ?? "") \($0.uri.value)" })
    #expect(
      redirects == [
        "InstalledClient msauth.com.contoso.app://auth", "Web https://contoso.com", "Spa https://contoso.com/spa",
      ])
    #expect(manifest.redirectList != nil)
    #expect(manifest.identifierURIs.map(\.value) == ["api://x"])
    #expect(manifest.logoutURL?.value == "https://contoso.com/out")
    #expect(manifest.issuesIDTokensImplicitly?.value == true)
    #expect(manifest.issuesAccessTokensImplicitly?.value == false)
    #expect(manifest.scopes.map { $0.value?.value } == ["Read"])
    #expect(manifest.appRoles.map { $0.id?.value } == ["b"])
    #expect(manifest.preAuthorizedIDs.map(\.value) == ["c", "d"])
    #expect(manifest.passwordCredentials.map { $0.end?.value } == ["2025-01-01"])
    #expect(manifest.passwordCredentials.first?.secretText?.value == "s")
    let resource = try #require(manifest.requiredResources?.value.first)
    #expect(resource.isGraph && resource.permissions.map(\.isRole) == [false])
  }

  @Test(arguments: [
    (
      #"{"appId": "x", "replyUrlsWithType": [{"url": "https://${{HOST}}", "type": "Web"}]}"#,
      AppManifest.Dialect.teamsToolkit
    ),
    (#"{"displayName": "{{appName}}-aad", "signInAudience": "AzureADMyOrg"}"#, .teamsToolkit),
    (
      #"{"requiredResourceAccess": [{"resourceAppId": "Microsoft Graph", "resourceAccess": []}], "name": "x"}"#,
      .teamsToolkit
    ),
    (#"{"AppRegistrations": [{"x-ms-id": "a"}]}"#, .appCreationScripts),
    (#"{"AADApps": [{"Id": "a"}]}"#, .appCreationScripts),
    (#"{"appId": "x", "publicClient": true, "replyUrls": ["http://localhost"]}"#, .azureADGraph),
    (#"{"ObjectId": "x", "AppId": "y", "ReplyUrls": []}"#, .azureADGraph),
    ("{\(access)}", .permissionsOnly), (#"[{"resourceAppId": "x", "resourceAccess": []}]"#, .permissionsOnly),
    (#"{"appId": "x", "replyUrlsWithType": []}"#, .portal), (#"{"appId": "x", "web": {"redirectUris": []}}"#, .graph),
    (#"{"value": [{"appId": "x", "spa": {"redirectUris": []}}]}"#, .graph),
    (#"[{"appId": "x", "displayName": "y", "signInAudience": "AzureADMyOrg"}]"#, .graph),
  ])
  func recognizesFormats(text: String, dialect: AppManifest.Dialect) throws {
    #expect(try Self.read(text).map(\.dialect) == [dialect])
  }

  @Test(arguments: [
    "[]", "[1]", #"[{"a": 1}]"#, #"{"value": []}"#, #"{"value": [{"name": "x"}]}"#, #"{"web": {"client_id": "x"}}"#,
    #"{"appId": "x"}"#, #"{"replyUrls": []}"#, #"{"signInAudience": "AzureADMyOrg"}"#, #"{"name": "x", "web": {}}"#,
  ])
  func ignoresOtherDocuments(text: String) throws {
    let document = try #require(DocumentReader.read(Array(text.utf8), named: "x.json").document)
    #expect(AppRegistrationKind.recognize(document) != .appManifest)
  }

  @Test func readsCodeConfigurationsInSamples() throws {
    let text = #"""
      {"Sample": {}, "AppRegistrations": [{"x-ms-name": "contoso", "codeConfigurations": [
        {"settingFile": "/App/Info.plist", "replaceTokens": {"bundleId": "com.contoso.app"}},
        {"settingFile": "/App/Config.swift", "replaceTokens": {"appId": "\#(Self.id)", "redirectUri": "msauth.x://auth"}}]}]}
      """#
    let manifest = try #require(Self.read(text).first)
    #expect(manifest.codeConfigurations.map { $0["bundleId"]?.value } == ["com.contoso.app", nil])
    #expect(manifest.codeConfigurations.last?["appId"]?.value == Self.id)
  }

  @Test func readsSampleAppsThatUseNamesInsteadOfIDs() throws {
    let text = #"""
      {"AADApps": [{"Name": "contoso", "Kind": "Mobile", "Audience": "AzureADMultipleOrgs", "ReplyUrls": "http://localhost, msal1://auth",
        "RequiredResourcesAccess": [{"Resource": "Microsoft Graph", "DelegatedPermissions": ["User.Read"],
          "ApplicationPermissions": ["User.Read.All"]}]}]}
      """#
    let manifest = try #require(Self.read(text).first)
    #expect(manifest.redirects.map(\.uri.value) == ["http://localhost", "msal1://auth"])
    #expect(manifest.redirects.allSatisfy { $0.kind == .installedClient })
    #expect(manifest.audience == .multipleOrgs)
    #expect(manifest.requiredResources?.value.first?.permissions.map(\.isRole) == [false, true])
  }

  @Test(
    arguments: [
      ("1970-01-01", 0), ("2024-02-29T12:00:00Z", 1_709_208_000), ("2299-12-31T05:00:00Z", 10_413_723_600),
      ("2024-10-04T12:11:36.707Z", 1_728_043_896), ("/Date(1728043896707)/", 1_728_043_896), ("soon", nil), ("", nil),
      ("2024-13-01", nil), ("2000-03-01T00:00:00+00:00", 951_868_800),
    ] as [(String, Int64?)])
  func parsesAllTimeFormats(text: String, seconds: Int64?) {
    #expect(AppManifest.seconds(text) == seconds)
  }
}
