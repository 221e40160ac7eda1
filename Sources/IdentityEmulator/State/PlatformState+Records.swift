import Directory
import GraphEmulator
import IdentityPlatform
import OrderedCollections

extension PlatformState {
  /// Returns the directory records of a tenant, or nil if the tenant does not exist.
  func records(of tenantID: String) -> TenantRecords? {
    guard let tenant = graph.tenants[tenantID] else { return nil }
    var records = TenantRecords(tenant: tenant)
    records.grants = grants(in: tenantID)
    records.apps = apps.values.filter { isRegistered($0, in: tenant) }
    records.principals = principals(in: tenant, with: records.grants)
    records.signIns = requestLog.reversed().filter { $0.isSignIn && isMember($0.decision.user, of: tenantID) }.map {
      var signIn = TenantRecords.SignIn(number: $0.number, time: $0.time)
      signIn.user = $0.decision.user
      signIn.clientID = $0.decision.client
      signIn.code = $0.decision.code
      signIn.reason = $0.decision.reason
      signIn.grant = $0.decision.grant
      signIn.policy = $0.decision.policy
      return signIn
    }
    return records
  }

  /// Returns the permission grants of the tenant's administrators and users.
  private func grants(in tenantID: String) -> [TenantRecords.Grant] {
    var grants: [TenantRecords.Grant] = []
    for (clientID, resources) in consents.byGrantor[Consents.Grantor.tenant(tenantID).key] ?? [:] {
      for (resource, names) in resources where !names.isEmpty {
        grants.append(.init(clientID: clientID, resourceAppID: resource, userID: nil, scopes: names))
      }
    }
    for member in graph.members(of: tenantID) {
      let granted = consents.byGrantor[Consents.Grantor.user(member.account.user.id).key] ?? [:]
      for (clientID, resources) in granted {
        for (resource, names) in resources where !names.isEmpty {
          grants.append(
            .init(clientID: clientID, resourceAppID: resource, userID: member.objectID, scopes: names))
        }
      }
    }
    return grants
  }

  /// Returns the service principals of the apps and APIs in the tenant.
  private func principals(in tenant: Tenant, with grants: [TenantRecords.Grant]) -> [TenantRecords.Principal] {
    let clientIDs = Set(grants.map { $0.clientID.lowercased() })
    let present = apps.filter { clientIDs.contains($0.key) || isRegistered($0.value, in: tenant) }.values
    var principals =
      present.map { app in
        var principal = TenantRecords.Principal(
          appID: app.appId, name: app.name ?? app.appId, ownerTenantID: owner(of: app))
        principal.replyURLs = app.publicRedirectUris + app.spaRedirectUris + app.webRedirectUris
        principal.isDisabled = app.disabled ?? false
        return principal
      }
      + [
        TenantRecords.Principal(
          appID: WellKnown.graphAppID, name: "Microsoft Graph", ownerTenantID: nil,
          uris: ["https://graph.microsoft.com"], scopes: Resource.graph().scopes.map(\.name))
      ]
    for api in resources {
      var exposed = TenantRecords.Principal(
        appID: api.appId, name: api.name ?? api.uris.first ?? api.appId, ownerTenantID: tenant.id, uris: api.uris,
        scopes: api.scopes.map(\.name))
      exposed.roles = api.roles
      let appID = api.appId.lowercased()
      if let index = principals.firstIndex(where: { $0.appID.lowercased() == appID }) {
        // An app registration can be both a client and an API.
        principals[index].uris = exposed.uris
        principals[index].scopes = exposed.scopes
        principals[index].roles = exposed.roles
      } else if tenant.id == graph.tenants.keys.first {
        principals.append(exposed)
      }
    }
    return principals
  }

  private func isMember(_ username: String?, of tenantID: String) -> Bool {
    username.flatMap { graph.member(named: $0, of: tenantID) } != nil
  }

  private func owner(of app: RegisteredApp) -> String? {
    guard let name = app.tenant else { return graph.tenants.keys.first }
    return graph.tenants.values.first { $0.isNamed(name) || $0.name.lowercased() == name.lowercased() }?.id
  }

  private func isRegistered(_ app: RegisteredApp, in tenant: Tenant) -> Bool { owner(of: app) == tenant.id }
}

extension RequestLogEntry {
  /// Whether the request is a successful or failed sign-in. A sign-in with an authorization code counts when the app
  /// redeems the code.
  fileprivate var isSignIn: Bool {
    guard decision.user != nil else { return false }
    return switch decision.action {
    case .issuedTokens, .issuedAppToken: true
    case .issuedResponse(let types) where !types.contains("code"): true
    default: decision.code?.hasPrefix("AADSTS") == true
    }
  }
}
