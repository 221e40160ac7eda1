import Documents
import OAuth

/// A user's account as the app sees it: MSALAccount.
package struct Account: Sendable {
  /// The home account id, `uid.utid`, trimmed and in lower case.
  package var identifier: String
  package var username: String
  /// The host under which the account is kept, such as `login.windows.net`.
  package var environment: String
  /// One per tenant; filled only when accounts are enumerated, nil on a token's result.
  package var tenantProfiles: [TenantProfile]?
  private var claims: IDTokenClaims?
  /// The claims of the home tenant's ID token, where it is cached for this client.
  package var accountClaims: JSON? { claims?.json }
  /// Always false here: there is no SSO extension that it could come from.
  package var isSSOAccount: Bool { false }

  package init(
    identifier: String, username: String, environment: String, tenantProfiles: [TenantProfile]? = nil,
    claims: IDTokenClaims? = nil
  ) {
    self.identifier = identifier.trimmingSpaces().lowercased()
    self.username = username
    self.environment = environment
    self.tenantProfiles = tenantProfiles
    self.claims = claims
  }

  /// `uid`: the object id in the home tenant.
  package var objectID: String {
    identifier.utf8.split(separator: UInt8(ascii: ".")).first.map { String(Substring($0)) } ?? identifier
  }

  /// `utid`: the home tenant; nil for issuers that have none.
  package var homeTenantID: String? {
    let parts = identifier.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1)
    return parts.count == 2 ? String(Substring(parts[1])) : nil
  }

  /// What a workflow sees of it.
  package var json: JSON {
    var json: JSON = [
      "identifier": .string(identifier), "username": .string(username), "environment": .string(environment),
      "homeAccountId": [
        "identifier": .string(identifier), "objectId": .string(objectID),
        "tenantId": homeTenantID.map { .string($0) } ?? .null,
      ],
      "isSSOAccount": .bool(isSSOAccount),
    ]
    if let tenantProfiles { json["tenantProfiles"] = .array(tenantProfiles.map(\.json)) }
    if let accountClaims { json["accountClaims"] = accountClaims }
    return json
  }
}

extension Account: Hashable {
  /// MSAL's rule: where both have an identifier, only that counts; else the names, without regard to case.
  package static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.identifier.isEmpty || rhs.identifier.isEmpty
      ? lhs.username.lowercased() == rhs.username.lowercased() : lhs.identifier == rhs.identifier
  }

  package func hash(into hasher: inout Hasher) {
    // Accounts may be equal by either, so neither can be hashed alone.
    hasher.combine(0)
  }
}

/// An account in one tenant: MSALTenantProfile.
package struct TenantProfile: Hashable, Sendable {
  /// The object id in this tenant (`oid`, else `sub`).
  package var identifier: String
  package var environment: String
  package var tenantID: String
  package var isHomeTenantProfile: Bool
  /// Those of the ID token, read when asked for.
  var tokenClaims: IDTokenClaims?
  /// The claims of the ID token of this tenant, where it is cached for this client.
  package var claims: JSON? { tokenClaims?.json }

  package var json: JSON {
    [
      "identifier": .string(identifier), "environment": .string(environment), "tenantId": .string(tenantID),
      "isHomeTenantProfile": .bool(isHomeTenantProfile), "claims": claims ?? .null,
    ]
  }
}
