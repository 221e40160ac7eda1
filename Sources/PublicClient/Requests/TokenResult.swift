import Documents
import Effects
import OAuth
import RunTrace

/// The result of a token request (`MSALResult`).
package struct TokenResult: Sendable {
  /// The source of the token.
  package enum Source: String, Hashable, Sendable, CaseIterable {
    case cache, refreshToken, authorizationCode, deviceCode
  }

  /// The access token. Empty if the service did not return one.
  package var accessToken: Secret
  package var expiresOn: Instant
  /// Whether the token has expired and MSAL returned it because the service is unavailable.
  package var extendedLifeTimeToken: Bool
  /// The granted scopes, in the server's order and case.
  package var scopes: [String]
  package var idToken: Secret?
  var claims: IDTokenClaims
  package var idTokenClaims: JSON { claims.json }
  package var account: Account
  package var tenantProfile: TenantProfile
  /// The authority to use for later silent calls. It identifies the tenant and the cloud that issued the token.
  package var authority: String
  package var correlationID: String
  package var tokenType: String
  package var source: Source
  /// The claims from the userinfo endpoint, if the request called that endpoint.
  package var userInfo: JSON?
  /// The resource that the scopes belong to, or nil for short Microsoft Graph scope names.
  package var resource: String?
  /// The authorize or token request that was sent, or nil if no request was sent.
  package var sent: SentRequest?
  /// The pages that the user saw.
  package var screens: [String]

  /// The value of the `Authorization` header, `Bearer …`. Empty if there is no access token.
  package var authorizationHeader: Secret {
    Secret(accessToken.isEmpty ? "" : "\(tokenType) \(accessToken.reveal())", kind: .accessToken)
  }

  /// The result as JSON for use in a workflow, without the tokens.
  package var json: JSON {
    var json: JSON = [
      "account": account.json, "tenantProfile": tenantProfile.json, "scopes": .array(scopes.map { .string($0) }),
      "expiresOn": .string(expiresOn.rfc3339()), "extendedLifeTimeToken": .bool(extendedLifeTimeToken),
      "authority": .string(authority), "correlationId": .string(correlationID), "tokenType": .string(tokenType),
      "tokenSource": .string(source.rawValue), "idTokenClaims": idTokenClaims,
    ]
    if let userInfo { json["userInfo"] = userInfo }
    return json
  }
}
