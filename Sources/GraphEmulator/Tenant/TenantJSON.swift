import Directory
import Documents
import Effects
import IdentityPlatform
import OrderedCollections

/// A tenant's read-only resources in Graph's format.
enum TenantJSON {
  static func objectID(ofApp appID: String) -> String { DerivedID.uuid(of: "application", appID.lowercased()) }

  /// Returns the id of a service principal. This id is also the `oid` claim in the app's tokens.
  static func principalID(_ appID: String, in tenantID: String) -> String {
    DerivedID.uuid(of: "principal", tenantID, appID)
  }

  private static func texts(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }

  static func application(_ app: RegisteredApp, _ records: TenantRecords) -> JSON {
    let domain = records.tenant.domains.first ?? ""
    let api = records.principals.first { $0.appID.lowercased() == app.appId.lowercased() }
    func credentials(_ count: Int) -> JSON { .array((0..<count).map { _ in ["keyId": nil, "displayName": nil] }) }
    return [
      "id": .string(objectID(ofApp: app.appId)), "deletedDateTime": nil, "appId": .string(app.appId),
      "createdDateTime": nil, "displayName": .string(app.name ?? app.appId), "identifierUris": texts(api?.uris ?? []),
      "isFallbackPublicClient": .bool(app.isPublic), "publisherDomain": .string(domain),
      "signInAudience": .string(app.effectiveAudience.rawValue), "tags": [],
      "publicClient": ["redirectUris": texts(app.publicRedirectUris)],
      "spa": ["redirectUris": texts(app.spaRedirectUris)],
      "web": [
        "redirectUris": texts(app.webRedirectUris), "logoutUrl": app.logoutUrl.map { .string($0) } ?? .null,
        "implicitGrantSettings": [
          "enableAccessTokenIssuance": .bool(app.implicitAccessTokens ?? false),
          "enableIdTokenIssuance": .bool(app.implicitIdTokens ?? false),
        ],
      ],
      // Graph never returns the values of secrets and keys.
      "passwordCredentials": credentials(app.secrets.count + app.expiredSecrets.count),
      "keyCredentials": credentials(app.certificates.count), "appRoles": [], "requiredResourceAccess": [],
    ]
  }

  static func principal(_ principal: TenantRecords.Principal, _ records: TenantRecords) -> JSON {
    func id(_ kind: String, _ name: String) -> JSON { .string(DerivedID.uuid(of: kind, principal.appID, name)) }
    let owner = principal.ownerTenantID ?? "f8cdef31-a31e-4b4a-93e4-5f571e91255a"
    return [
      "id": .string(principalID(principal.appID, in: records.tenant.id)), "deletedDateTime": nil,
      "accountEnabled": .bool(!principal.isDisabled), "appId": .string(principal.appID),
      "appDisplayName": .string(principal.name), "displayName": .string(principal.name),
      "appOwnerOrganizationId": .string(owner), "appRoleAssignmentRequired": false,
      "servicePrincipalNames": texts([principal.appID] + principal.uris), "servicePrincipalType": "Application",
      "replyUrls": texts(principal.replyURLs), "tags": [],
      "appRoles": .array(
        principal.roles.map { name in
          [
            "id": id("role", name), "value": .string(name), "displayName": .string(name), "isEnabled": true,
            "allowedMemberTypes": ["Application"],
          ]
        }),
      "oauth2PermissionScopes": .array(
        principal.scopes.map { name in
          ["id": id("scope", name), "value": .string(name), "isEnabled": true, "type": "User"]
        }),
    ]
  }

  static func grant(_ grant: TenantRecords.Grant, _ records: TenantRecords) -> JSON {
    let tenantID = records.tenant.id
    // Service principal ids are derived from the app id as registered, including its case.
    func principal(_ appID: String) -> JSON {
      let existing = records.principals.first { $0.appID.lowercased() == appID.lowercased() }
      return .string(principalID(existing?.appID ?? appID, in: tenantID))
    }
    return [
      "id": .string(
        DerivedID.uuid(of: "grant", tenantID, grant.clientID, grant.resourceAppID, grant.userID ?? "everyone")),
      "clientId": principal(grant.clientID), "consentType": grant.userID == nil ? "AllPrincipals" : "Principal",
      "principalId": grant.userID.map { .string($0) } ?? .null, "resourceId": principal(grant.resourceAppID),
      "scope": .string(grant.scopes.joined(separator: " ")),
    ]
  }

  static func domains(_ tenant: Tenant) -> [JSON] {
    let federated = Set(tenant.federatedDomains.map { $0.lowercased() })
    let names = tenant.domains + tenant.federatedDomains.filter { !tenant.domains.contains($0) }
    return names.enumerated().map { index, name in
      [
        "id": .string(name), "authenticationType": federated.contains(name.lowercased()) ? "Federated" : "Managed",
        "availabilityStatus": nil, "isAdminManaged": true, "isDefault": .bool(index == 0),
        "isInitial": .bool(name.lowercased().hasSuffix(".onmicrosoft.com")), "isRoot": true, "isVerified": true,
        "supportedServices": ["Email", "OfficeCommunicationsOnline"], "state": nil,
      ]
    }
  }

  /// Returns the licenses in the users' `assignedLicenses`, with the number of users for each license.
  static func subscribedSkus(_ tenant: Tenant, _ members: [GraphState.Member]) -> [JSON] {
    var counts: OrderedDictionary<String, Int64> = [:]
    for member in members {
      for license in member.account.user.properties["assignedLicenses"]?.array ?? [] {
        if let id = license.member("skuId")?.string { counts[id, default: 0] += 1 }
      }
    }
    return counts.map { id, count in
      [
        "id": .string("\(tenant.id)_\(id)"), "skuId": .string(id), "skuPartNumber": .string(id),
        "accountId": .string(tenant.id), "accountName": .string(tenant.name), "appliesTo": "User",
        "capabilityStatus": "Enabled", "consumedUnits": .integer(count), "servicePlans": [],
        "prepaidUnits": ["enabled": .integer(count), "suspended": 0, "warning": 0, "lockedOut": 0],
      ]
    }
  }

  static func signIn(_ entry: TenantRecords.SignIn, _ records: TenantRecords, _ state: GraphState) -> JSON {
    let member = entry.user.flatMap { state.member(named: $0, of: records.tenant.id) }
    let app = entry.clientID.flatMap { id in
      records.principals.first { $0.appID.lowercased() == id.lowercased() }
    }
    let code = entry.code.flatMap { Int64($0.dropFirst("AADSTS".count)) } ?? 0
    func text(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }
    let policy = entry.policy
    return [
      "id": .string(DerivedID.uuid(of: "signIn", records.tenant.id, String(entry.number))),
      "createdDateTime": .string(entry.time.rfc3339()), "userDisplayName": text(member?.account.user.shownName),
      "userPrincipalName": text(member?.userPrincipalName), "userId": text(member?.objectID),
      "appId": text(entry.clientID), "appDisplayName": text(app?.name), "ipAddress": nil,
      "clientAppUsed": nil, "correlationId": nil,
      "conditionalAccessStatus": policy == nil ? "notApplied" : code == 0 ? "success" : "failure",
      "isInteractive": .bool(entry.grant != "refresh_token"), "resourceDisplayName": nil, "resourceId": nil,
      "status": [
        "errorCode": .integer(code), "failureReason": code == 0 ? "Other." : text(entry.reason),
        "additionalDetails": nil,
      ],
      "appliedConditionalAccessPolicies": .array(policy.map { [["displayName": .string($0)]] } ?? []),
    ]
  }
}
