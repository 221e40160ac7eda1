import IdentityPlatform
import Testing

@Suite struct CloudTests {
  @Test func everyAliasLeadsBackToItsCloud() {
    for cloud in Cloud.allCases where cloud != .usDoD {
      for alias in cloud.aliases { #expect(Cloud.containing(host: alias.uppercased()) == cloud) }
      #expect(cloud.aliases.contains(cloud.loginHost))
      #expect(cloud.aliases.contains(cloud.preferredCache))
    }
  }

  @Test func aCloudIsKnownByManyNames() {
    #expect(Cloud(named: "AzureChina") == .china)
    #expect(Cloud(named: "MSALAzureUsGovernmentCloudInstance") == .usGovernment)
    #expect(Cloud(named: "PUBLIC") == .public)
    #expect(Cloud(named: "mars") == nil)
    for cloud in Cloud.allCases { #expect(Cloud(named: cloud.rawValue) == cloud) }
  }

  @Test func onlyGraphHostsAreGraph() {
    #expect(Cloud.withGraph(host: "graph.microsoft.us") == .usGovernment)
    #expect(Cloud.withGraph(host: "graph.microsoft.com.evil.example") == nil)
  }

  @Test func trustIsByWholeHost() {
    #expect(TrustedHosts.contains("Login.Windows.net"))
    #expect(!TrustedHosts.contains("x.login.windows.net"))
    #expect(TrustedHosts.all.count == 11)
  }
}

@Suite struct FirstPartyTests {
  @Test("each id and URI of Microsoft's APIs and clients names one of them")
  func isUnique() {
    let names = FirstPartyAPI.all.flatMap { [$0.appID] + $0.uris }
    #expect(Set(names).count == names.count)
    let ids = FirstPartyAPI.all.map(\.appID) + FirstPartyClient.all.map(\.appID)
    #expect(ids.allSatisfy { GUIDText.isWellFormed($0) && $0 == $0.lowercased() })
    #expect(Set(ids).count == ids.count)
    #expect(FirstPartyAPI.all.allSatisfy { !$0.scopes.isEmpty && !$0.uris.contains { $0.hasSuffix("/") } })
  }

  @Test(
    "an API is found by its id, its URI, and any host under a wildcard",
    arguments: [
      ("https://management.azure.com/", "Windows Azure Service Management API"),
      ("HTTPS://VAULT.AZURE.NET", "Azure Key Vault"),
      ("00000003-0000-0FF1-ce00-000000000000", "Office 365 SharePoint Online"),
      ("https://contoso-my.sharepoint.com/", "Office 365 SharePoint Online"),
      ("https://org.crm4.dynamics.com", "Dynamics CRM"), ("https://sharepoint.com", nil),
      ("https://evilsharepoint.com", nil), ("http://contoso.sharepoint.com", nil),
      ("https://contoso.sharepoint.com/sites/a", nil), ("https://vault.azure.net.evil.example", nil), ("", nil),
    ] as [(String, String?)])
  func named(name: String, expected: String?) { #expect(FirstPartyAPI.named(name)?.name == expected) }
}

@Suite struct GUIDTextTests {
  @Test(arguments: [
    ("6731de76-14a6-49ae-97bc-6eba6914391e", true), ("6731DE76-14A6-49AE-97BC-6EBA6914391E", true), ("", false),
    ("6731de76-14a6-49ae-97bc-6eba6914391e ", false), ("{6731de76-14a6-49ae-97bc-6eba6914391e}", false),
    ("6731de7614a649ae97bc6eba6914391e", false), ("6731de76-14a6-49ae-97bc-6eba6914391g", false),
  ])
  func onlyTheDashedFormIsWellFormed(text: String, expected: Bool) { #expect(GUIDText.isWellFormed(text) == expected) }
}

@Suite struct ScopeRulesTests {
  @Test func scopesKeepTheirOrderAndMSALsFollow() {
    #expect(
      ScopeRules.authorizeScopes(["User.Read", "openid", "User.Read"], extra: ["Mail.Read", "profile"])
        == ["User.Read", "openid", "profile", "offline_access", "Mail.Read"])
    #expect(ScopeRules.tokenScopes(["a"]) == ["a", "openid", "profile", "offline_access"])
  }

  @Test func emailMayBeAskedFor() {
    #expect(ScopeRules.isReserved("offline_access"))
    #expect(!ScopeRules.isReserved("email"))
    #expect(!ScopeRules.isReserved("OpenID"))
  }

  @Test(arguments: [
    ("User.Read", "https://graph.microsoft.com", "User.Read"), ("api://x/y", "api://x", "y"),
    ("https://management.azure.com//.default", "https://management.azure.com/", ".default"),
  ])
  func aScopeBelongsToAResource(scope: String, resource: String, permission: String) {
    #expect(ScopeRules.resource(of: scope) == resource)
    #expect(ScopeRules.permission(of: scope) == permission)
  }

  @Test func openIDScopesHaveNoResource() {
    #expect(ScopeRules.resource(of: "email") == nil)
    #expect(ScopeRules.isGraph("00000003-0000-0000-c000-000000000000/User.Read"))
    #expect(!ScopeRules.isGraph("https://vault.azure.net/.default"))
  }
}

@Suite struct GraphPermissionTests {
  @Test func namesAndIdsAreUnique() {
    let ids = GraphPermission.all.flatMap { [$0.id] + [$0.applicationRoleID].compactMap { $0 } }
    #expect(Set(ids).count == ids.count)
    #expect(Set(GraphPermission.names.map { $0.lowercased() }).count == GraphPermission.all.count)
    for id in ids { #expect(GUIDText.isWellFormed(id)) }
  }

  @Test func aPermissionIsFoundByNameAndById() {
    #expect(GraphPermission.named("calendars.read")?.id == "465a38f9-76ea-45b9-9f34-9e8b0d4b0b42")
    #expect(GraphPermission.named("User.Read.All")?.needsAdmin == true)
    #expect(GraphPermission.withID("810C84A8-4A9E-49E6-BF7D-12D183F40D01")?.isRole == true)
    #expect(GraphPermission.withID("465a38f9-76ea-45b9-9f34-9e8b0d4b0b42")?.permission.name == "Calendars.Read")
    #expect(GraphPermission.named("User.Raed") == nil)
  }

  @Test("lists the published delegated permissions once each")
  func published() {
    let names = GraphPermission.publishedNames
    #expect(names.count > 650)
    #expect(Set(names.map { $0.lowercased() }).count == names.count)
    #expect(names.allSatisfy { $0.wholeMatch(of: /[A-Za-z][A-Za-z0-9_.-]*/) != nil })
  }

  @Test(
    "finds a published permission with its spelling and consent",
    arguments: [
      ("user.read", "User.Read", false), ("SITES.FULLCONTROL.ALL", "Sites.FullControl.All", true),
      ("Chat.Create", "Chat.Create", false), ("TeamSettings.ReadWrite.All", "TeamSettings.ReadWrite.All", true),
    ])
  func publishedPermission(name: String, spelling: String, needsAdmin: Bool) {
    let found = GraphPermission.published(name)
    #expect(found?.name == spelling)
    #expect(found?.needsAdmin == needsAdmin)
    #expect(GraphPermission.published(name + "x") == nil)
  }
}

@Suite struct ErrorTests {
  @Test func symbolsAreMSALsOwn() {
    #expect(MSALErrorCode.interactionRequired.symbol == "MSALErrorInteractionRequired")
    #expect(MSALErrorCode(rawValue: -50_008)?.symbol == "MSALErrorMDMEnrollmentCompletedNeedsRetry")
    #expect(MSALInternalErrorCode(rawValue: -42_011)?.symbol == "MSALInternalErrorInvalidRedirectURI")
    #expect(MSALInternalErrorCode.brokerNotAvailable.symbol == "MSALInternalBrokerNotAvailable")
    #expect(MSALInternalErrorCode.jitLinkError.symbol == "MSALInternalErrorJITLinkError")
    #expect(MSALInternalErrorCode.jitWPJAcquireTokenError.symbol == "MSALErrorJITWPJAcquireTokenError")
    #expect(MSALInternalErrorCode.uiNotSupportedInExtension.symbol == "MSALInternalErrorUINotSupportedInExtension")
  }

  @Test func everyCodeHasItsWords() {
    for code in MSALErrorCode.allCases { #expect(!code.meaning.isEmpty) }
    for code in MSALInternalErrorCode.allCases { #expect(!code.meaning.isEmpty) }
    for suberror in Suberror.allCases { #expect(!suberror.meaning.isEmpty && !suberror.reaction.isEmpty) }
    #expect(MSALErrorCode.allCases.filter { !$0.surfacesAsItself }.map(\.rawValue) == [-50_006, -50_007, -50_008])
  }

  @Test func aFailureIsNamedByItsPreciseCode() {
    #expect(MSALFailure(.invalidScope, "x").outcome == "invalidScope")
    #expect(MSALFailure(.invalidScope, "x").code == .internal)
    #expect(MSALFailure(.interactionRequired, "x").outcome == "interactionRequired")
  }

  @Test func signInErrorsAreFoundByTheirCode() throws {
    #expect(AADSTS.coded("AADSTS50076")?.suberror == "basic_action")
    #expect(AADSTS.coded("aadsts65001")?.needsInteraction == true)
    #expect(AADSTS.coded("700016")?.staysOnPage == true)
    #expect(AADSTS.coded("AADSTS") == nil)
    #expect(AADSTS.numbered(70_049) == nil)
    let numbers = AADSTS.all.map(\.number)
    #expect(Set(numbers).count == numbers.count)
    for suberror in AADSTS.all.compactMap(\.suberror) { #expect(Suberror(rawValue: suberror) != nil, "\(suberror)") }
  }

  @Test func claimsAreDescribedOnce() {
    let names = ClaimDescription.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(ClaimDescription.named("exp")?.isTime == true)
  }
}

@Suite struct URLPartsTests {
  @Test func theTextOfEachPartIsKept() throws {
    let parts = try #require(URLParts("HTTPS://u:p@Host:8443/a//b/?q=1#"))
    #expect(parts.scheme == "HTTPS")
    #expect(parts.userInfo == "u:p")
    #expect(parts.environment == "host:8443")
    #expect(parts.segments == ["a", "b"])
    #expect(parts.query == "q=1")
    #expect(parts.fragment?.isEmpty == true)
  }

  @Test(arguments: [
    ("http://localhost:1", true), ("http://127.9.0.1", true), ("http://[::1]/", true),
    ("http://127.0.0.1.example.org", false),
    ("http://128.0.0.1", false), ("http://localhost.example.org", false),
  ])
  func onlyThisMachineIsLoopback(url: String, expected: Bool) { #expect(URLParts(url)?.isLoopback == expected) }
}
