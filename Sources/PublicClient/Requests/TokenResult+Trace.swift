import Documents
import Effects
import OAuth
import OrderedCollections
import RunTrace

extension TokenResult {
  /// The members of a `token.acquired` trace event. The recorder masks secrets.
  var traceMembers: OrderedDictionary<String, TraceValue> {
    [
      "source": .value(.string(source.rawValue)), "account": .value(.string(account.username)),
      "accountId": .value(.string(account.identifier)), "accessToken": .secret(accessToken),
      "expiresOn": .value(.string(expiresOn.rfc3339())), "extended": .value(.bool(extendedLifeTimeToken)),
      "scopes": TraceValue(scopes), "authority": .value(.string(authority)),
      "tenant": .value(.string(tenantProfile.tenantID)), "correlationId": .value(.string(correlationID)),
      "contents": .list([idToken, accessToken].compactMap { $0.flatMap(Self.content) }),
    ]
  }

  /// Returns the header and claims of a token without the signature, or nil if the token is not a JWT.
  private static func content(_ token: Secret) -> TraceValue? {
    guard let content = try? UnverifiedJWT(parsing: token.reveal()) else { return nil }
    return ["token": .secret(token), "header": .value(content.header), "claims": .value(content.claims)]
  }
}
