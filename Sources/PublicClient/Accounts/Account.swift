import Documents
import OAuth

/// A user's account (`MSALAccount`).
package struct Account: Sendable {
  /// The home account ID, `uid.utid`, trimmed and lowercased.
  package var identifier: String
  package var username: String
  /// The host in the account's cache entries, for example `login.windows.net`.
  package var environment: String
  /// The user's profile in each tenant. The property is set by account enumeration, but not in token results.
  package var tenantProfiles: [TenantProfile]?
  private var claims: IDTokenClaims?
  /// The claims of the home tenant's ID token, if it is cached for this client.
  package var accountClaims: JSON? { claims?.json }
  /// Whether the account comes from an SSO extension. Always false, because authflow does not support SSO extensions.
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

  /// The user's object ID in the home tenant (`uid`).
  package var objectID: String {
    identifier.utf8.split(separator: UInt8(ascii: ".")).first.map { String(Substring($0)) } ?? identifier
  }

  /// The ID of the home tenant (`utid`), or nil if the issuer does not have tenants.
  package var homeTenantID: String? {
    let parts = identifier.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1)
    return parts.count == 2 ? String(Substring(parts[1])) : nil
  }

  /// The account as JSON, for use in a workflow.
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
  /// Compares the identifiers if both accounts have one. Otherwise, compares the usernames. Ignores case, as MSAL does.
  package static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.identifier.isEmpty || rhs.identifier.isEmpty
      ? lhs.username.lowercased() == rhs.username.lowercased() : lhs.identifier == rhs.identifier
  }

  package func hash(into hasher: inout Hasher) {
    // Equal accounts can differ in the identifier or the username, so neither can contribute to the hash.
    hasher.combine(0)
  }
}

/// The profile of an account in one tenant (`MSALTenantProfile`).
package struct TenantProfile: Hashable, Sendable {
  /// The object ID in this tenant: `oid`, or `sub` if `oid` is missing.
  package var identifier: String
  package var environment: String
  package var tenantID: String
  package var isHomeTenantProfile: Bool
  var tokenClaims: IDTokenClaims?
  /// The claims of this tenant's ID token, if it is cached for this client.
  package var claims: JSON? { tokenClaims?.json }

  package var json: JSON {
    [
      "identifier": .string(identifier), "environment": .string(environment), "tenantId": .string(tenantID),
      "isHomeTenantProfile": .bool(isHomeTenantProfile), "claims": claims ?? .null,
    ]
  }
}
