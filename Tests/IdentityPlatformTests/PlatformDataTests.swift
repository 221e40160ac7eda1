import IdentityPlatform
import Testing

@Suite struct CloudTests {
  @Test("finds each cloud by its aliases")
  func aliases() {
    for cloud in Cloud.allCases where cloud != .usDoD {
      for alias in cloud.aliases { #expect(Cloud.containing(host: alias.uppercased()) == cloud) }
      #expect(cloud.aliases.contains(cloud.loginHost))
      #expect(cloud.aliases.contains(cloud.preferredCache))
    }
  }

  @Test("finds a cloud by its name in any MSAL library")
  func names() {
    #expect(Cloud(named: "AzureChina") == .china)
    #expect(Cloud(named: "MSALAzureUsGovernmentCloudInstance") == .usGovernment)
    #expect(Cloud(named: "PUBLIC") == .public)
    #expect(Cloud(named: "unknown") == nil)
    for cloud in Cloud.allCases { #expect(Cloud(named: cloud.rawValue) == cloud) }
  }

  @Test("finds a cloud by its exact Graph host")
  func graphHosts() {
    #expect(Cloud.withGraph(host: "graph.microsoft.us") == .usGovernment)
    #expect(Cloud.withGraph(host: "graph.microsoft.com.evil.example") == nil)
  }

  @Test("trusts only exact host names")
  func trustedHosts() {
    #expect(TrustedHosts.contains("Login.Windows.net"))
    #expect(!TrustedHosts.contains("x.login.windows.net"))
    #expect(TrustedHosts.all.count == 11)
  }
}

@Suite struct FirstPartyTests {
  @Test("contains each ID and URI of a Microsoft API or client only once")
  func isUnique() {
    let names = FirstPartyAPI.all.flatMap { [$0.appID] + $0.uris }
    #expect(Set(names).count == names.count)
    let ids = FirstPartyAPI.all.map(\.appID) + FirstPartyClient.all.map(\.appID)
    #expect(ids.allSatisfy { GUIDText.isWellFormed($0) && $0 == $0.lowercased() })
    #expect(Set(ids).count == ids.count)
    #expect(FirstPartyAPI.all.allSatisfy { !$0.scopes.isEmpty && !$0.uris.contains { $0.hasSuffix("/") } })
  }

  @Test(
    "finds an API by its ID, its URI, or a host that matches a wildcard",
    arguments: [
      ("https://management.azure.com/", "Windows Azure Service Management API"),
      ("HTTPS://VAULT.AZURE.NET", "Azure Key Vault"),
      ("00000003-0000-0FF1-ce00-000000000000", "Office 365 SharePoint Online"),
      ("https://contoso-my.sharepoint.com/", "Office 365 SharePoint Online"),
      ("https://org.crm4.dynamics.com", "Dynamics CRM"), ("https://sharepoint.com", nil),
      ("https://evilsharepoint.com", nil), ("http://contoso.sharepoint.com", nil),
      ("https://contoso.sharepoint.com/sites/a", nil), ("https://vault.azure.net.evil.example", nil), ("", nil),
    ] as [(String, String?)])
  func find(name: String, expected: String?) { #expect(FirstPartyAPI.named(name)?.name == expected) }
}

@Suite struct GUIDTextTests {
  @Test(
    "accepts only GUIDs with hyphens and without braces",
    arguments: [
      ("6731de76-14a6-49ae-97bc-6eba6914391e", true), ("6731DE76-14A6-49AE-97BC-6EBA6914391E", true), ("", false),
      ("6731de76-14a6-49ae-97bc-6eba6914391e ", false), ("{6731de76-14a6-49ae-97bc-6eba6914391e}", false),
      ("6731de7614a649ae97bc6eba6914391e", false), ("6731de76-14a6-49ae-97bc-6eba6914391g", false),
    ])
  func isWellFormed(text: String, expected: Bool) { #expect(GUIDText.isWellFormed(text) == expected) }
}

@Suite struct ScopeRulesTests {
  @Test("appends MSAL's scopes to the requested scopes")
  func order() {
    #expect(
      ScopeRules.authorizeScopes(["User.Read", "openid", "User.Read"], extra: ["Mail.Read", "profile"])
        == ["User.Read", "openid", "profile", "offline_access", "Mail.Read"])
    #expect(ScopeRules.tokenScopes(["a"]) == ["a", "openid", "profile", "offline_access"])
  }

  @Test("does not reserve `email`")
  func reserved() {
    #expect(ScopeRules.isReserved("offline_access"))
    #expect(!ScopeRules.isReserved("email"))
    #expect(!ScopeRules.isReserved("OpenID"))
  }

  @Test(
    "splits a scope into the resource and the permission",
    arguments: [
      ("User.Read", "https://graph.microsoft.com", "User.Read"), ("api://x/y", "api://x", "y"),
      ("https://management.azure.com//.default", "https://management.azure.com/", ".default"),
    ])
  func resource(scope: String, resource: String, permission: String) {
    #expect(ScopeRules.resource(of: scope) == resource)
    #expect(ScopeRules.permission(of: scope) == permission)
  }

  @Test("returns no resource for OpenID Connect scopes")
  func openIDConnectScopes() {
    #expect(ScopeRules.resource(of: "email") == nil)
    #expect(ScopeRules.isGraph("00000003-0000-0000-c000-000000000000/User.Read"))
    #expect(!ScopeRules.isGraph("https://vault.azure.net/.default"))
    #expect(ScopeRules.shortName(of: "https://graph.microsoft.com/Mail.Read") == "Mail.Read")
    #expect(ScopeRules.shortName(of: "api://orders/Orders.Read") == "api://orders/Orders.Read")
  }
}

@Suite struct GraphPermissionTests {
  @Test("contains each permission name and ID only once")
  func isUnique() {
    let ids = GraphPermission.all.flatMap { [$0.id] + [$0.applicationRoleID].compactMap { $0 } }
    #expect(Set(ids).count == ids.count)
    #expect(Set(GraphPermission.names.map { $0.lowercased() }).count == GraphPermission.all.count)
    for id in ids { #expect(GUIDText.isWellFormed(id)) }
  }

  @Test("finds a permission by name or ID")
  func find() {
    #expect(GraphPermission.named("calendars.read")?.id == "465a38f9-76ea-45b9-9f34-9e8b0d4b0b42")
    #expect(GraphPermission.named("User.Read.All")?.needsAdmin == true)
    #expect(GraphPermission.withID("810C84A8-4A9E-49E6-BF7D-12D183F40D01")?.isRole == true)
    #expect(GraphPermission.withID("465a38f9-76ea-45b9-9f34-9e8b0d4b0b42")?.permission.name == "Calendars.Read")
    #expect(GraphPermission.named("User.Raed") == nil)
  }

  @Test("lists each published delegated permission only once")
  func published() {
    let names = GraphPermission.publishedNames
    #expect(names.count > 650)
    #expect(Set(names.map { $0.lowercased() }).count == names.count)
    #expect(names.allSatisfy { $0.wholeMatch(of: /[A-Za-z][A-Za-z0-9_.-]*/) != nil })
  }

  @Test(
    "finds the spelling and consent requirement of a published permission",
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
  @Test("uses MSAL's symbols for error codes")
  func symbols() {
    #expect(MSALErrorCode.interactionRequired.symbol == "MSALErrorInteractionRequired")
    #expect(MSALErrorCode(rawValue: -50_008)?.symbol == "MSALErrorMDMEnrollmentCompletedNeedsRetry")
    #expect(MSALInternalErrorCode(rawValue: -42_011)?.symbol == "MSALInternalErrorInvalidRedirectURI")
    #expect(MSALInternalErrorCode.brokerNotAvailable.symbol == "MSALInternalBrokerNotAvailable")
    #expect(MSALInternalErrorCode.jitLinkError.symbol == "MSALInternalErrorJITLinkError")
    #expect(MSALInternalErrorCode.jitWPJAcquireTokenError.symbol == "MSALErrorJITWPJAcquireTokenError")
    #expect(MSALInternalErrorCode.uiNotSupportedInExtension.symbol == "MSALInternalErrorUINotSupportedInExtension")
  }

  @Test("describes every error code and suberror")
  func descriptions() {
    for code in MSALErrorCode.allCases { #expect(!code.meaning.isEmpty) }
    for code in MSALInternalErrorCode.allCases { #expect(!code.meaning.isEmpty) }
    for suberror in Suberror.allCases { #expect(!suberror.meaning.isEmpty && !suberror.reaction.isEmpty) }
    #expect(MSALErrorCode.allCases.filter { !$0.isReportedDirectly }.map(\.rawValue) == [-50_006, -50_007, -50_008])
  }

  @Test("uses the internal error code as the outcome if the error has one")
  func outcome() {
    #expect(MSALFailure(.invalidScope, "x").outcome == "invalidScope")
    #expect(MSALFailure(.invalidScope, "x").code == .internal)
    #expect(MSALFailure(.interactionRequired, "x").outcome == "interactionRequired")
  }

  @Test("finds sign-in errors by code")
  func signInErrors() throws {
    #expect(AADSTS.numbered(50_076)?.suberror == "basic_action")
    #expect(AADSTS.numbered(700_016)?.staysOnPage == true)
    #expect(AADSTS.numbered(70_049) == nil)
    let numbers = AADSTS.all.map(\.number)
    #expect(Set(numbers).count == numbers.count)
    for suberror in AADSTS.all.compactMap(\.suberror) { #expect(Suberror(rawValue: suberror) != nil, "\(suberror)") }
  }

  @Test("describes each claim only once")
  func claims() {
    let names = ClaimDescription.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(ClaimDescription.named("exp")?.isTime == true)
  }
}
