import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import IdentityPlatform
import OrderedCollections
import Testing

import IdentityEmulator

/// Tests the tenant data that inventory tools read.
@Suite struct GraphTenantTests {
  private static let directory = "Directory.Read.All"
  private static let clientID = "22222222-2222-2222-2222-222222222222"

  private static func withApp() -> EmulatedDirectory {
    var directory = EmulatedDirectory.contoso
    var app = RegisteredApp(appId: clientID, publicRedirectUris: ["http://localhost"])
    app.name = "Reader"
    app.secrets = ["hush"]
    app.adminConsent = ["User.Read", "Mail.Read"]
    directory.apps.append(app)
    return directory
  }

  @Test(
    "requires the permission for each list, from users and from apps",
    arguments: [
      ("/applications", "Application.Read.All"), ("/servicePrincipals", "Application.Read.All"),
      ("/directoryRoles", "RoleManagement.Read.Directory"), ("/domains", "Domain.Read.All"),
      ("/subscribedSkus", "Organization.Read.All"), ("/oauth2PermissionGrants", "Directory.Read.All"),
      ("/auditLogs/signIns", "AuditLog.Read.All"),
    ])
  func permissions(path: String, permission: String) async {
    #expect(await GraphProbe("User.Read").get(path).status == 403)
    #expect(await GraphProbe(permission).get(path).status == 200)
    #expect(await GraphProbe(permission, user: nil).get(path).status == 200)
  }

  @Test("lists app registrations without secrets")
  func applications() async throws {
    let probe = GraphProbe(Self.directory, directory: Self.withApp())
    let match = await probe.get("/applications?$filter=appId eq '\(Self.clientID)'")
    let app = try #require(match.value.first)
    #expect(app["displayName"] == "Reader")
    #expect(app["publicClient"]?["redirectUris"] == ["http://localhost"])
    #expect(app["passwordCredentials"]?.array?.count == 1)
    #expect(!app.text().contains("hush"))
    let id = try #require(app["id"]?.string)
    #expect(await probe.get("/applications/\(id)?$select=appId").body["appId"]?.string == Self.clientID)
    #expect(await probe.get("/applications(appId='\(Self.clientID)')").body["id"]?.string == id)
    #expect(await probe.get("/applications/nothing").code == "Request_ResourceNotFound")
    let count = await probe.get("/applications/$count", [("ConsistencyLevel", "eventual")])
    #expect(
      String(decoding: count.bytes, as: UTF8.self) == String(await probe.get("/applications?$top=999").value.count))
  }

  @Test("links service principals and grants")
  func grants() async throws {
    let probe = GraphProbe(Self.directory, directory: Self.withApp())
    let app = await probe.get("/servicePrincipals(appId='\(Self.clientID)')").body
    let graph = await probe.get("/servicePrincipals(appId='\(WellKnown.graphAppID)')").body
    #expect(graph["displayName"] == "Microsoft Graph")
    #expect(graph["oauth2PermissionScopes"]?.array?.isEmpty == false)
    let id = try #require(app["id"]?.string)
    let grants = await probe.get("/oauth2PermissionGrants?$filter=clientId eq '\(id)'").value
    let grant = try #require(grants.first)
    #expect(grant["consentType"] == "AllPrincipals")
    #expect(grant["resourceId"] == graph["id"])
    #expect(grant["scope"]?.string?.split(separator: " ").contains("Mail.Read") == true)
  }

  @Test("lists roles with their members, and lists domains")
  func rolesAndDomains() async throws {
    let probe = GraphProbe(Self.directory)
    let role = try #require(await probe.get("/directoryRoles").value.first)
    #expect(role["displayName"] == "Global Administrator")
    let id = try #require(role["id"]?.string)
    #expect(await probe.get("/directoryRoles/\(id)/members").names() == ["Adele Vance"])
    let domains = await probe.get("/domains").value
    #expect(domains.first?["id"] == "contoso.com")
    #expect(domains.first?["isDefault"] == true)
    #expect(await probe.get("/domains/contoso.com").body["isVerified"] == true)
  }

  @Test("counts the licenses of users")
  func licenses() async throws {
    var directory = EmulatedDirectory.contoso
    let sku = "6fd2c87f-b296-42f0-b197-1e91e994b900"
    directory.tenants[0].users[0].properties["assignedLicenses"] = [["skuId": .string(sku)]]
    let skus = await GraphProbe(Self.directory, directory: directory).get("/subscribedSkus").value
    #expect(skus.first { $0["skuId"]?.string == sku }?["consumedUnits"] == 1)
  }

  @Test("lists sign-ins from the request log")
  func signIns() async throws {
    let stage = Stage()
    _ = try await stage.signIn()
    let match = await GraphProbe(stage.emulator, GraphProbe("AuditLog.Read.All").caller).get("/auditLogs/signIns")
    let signIn = try #require(match.value.first)
    #expect(signIn["userPrincipalName"] == "megan@contoso.com")
    #expect(signIn["status"]?["errorCode"] == 0)
    #expect(match.value.count == 1)
  }
}
