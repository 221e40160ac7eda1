import Documents
import Effects
import OAuth
import RunTrace

/// A token and what is known about it: MSALResult.
package struct TokenResult: Sendable {
  /// Where the token came from.
  package enum Source: String, Hashable, Sendable, CaseIterable {
    case cache, refreshToken, authorizationCode, deviceCode
  }

  /// Empty where the server gave none.
  package var accessToken: Secret
  package var expiresOn: Instant
  /// Whether the token is past its end and returned because the service is down.
  package var extendedLifeTimeToken: Bool
  /// The granted scopes, in the server's order and case.
  package var scopes: [String]
  package var idToken: Secret?
  /// Those of the ID token, read when asked for.
  var claims: IDTokenClaims
  package var idTokenClaims: JSON { claims.json }
  package var account: Account
  package var tenantProfile: TenantProfile
  /// The tenant's authority in the cloud that answered: what to name in a later silent call.
  package var authority: String
  package var correlationID: String
  package var tokenType: String
  package var source: Source
  /// What the userinfo endpoint says of the user, where it was asked.
  package var userInfo: JSON?
  /// The resource that the scopes name; nil for Microsoft Graph's short names.
  package var resource: String?
  /// The last request of the call that a user may want to see; nil where nothing was sent.
  package var sent: SentRequest?
  /// The pages that the user saw.
  package var screens: [String]

  /// `Bearer …`; empty without a token.
  package var authorizationHeader: Secret {
    Secret(accessToken.isEmpty ? "" : "\(tokenType) \(accessToken.reveal())", kind: .accessToken)
  }

  /// What a workflow sees: everything except the tokens.
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
