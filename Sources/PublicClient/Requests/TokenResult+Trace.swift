import Documents
import Effects
import OrderedCollections
import RunTrace

extension TokenResult {
  /// The members of a `token.acquired` event; secrets are masked by the recorder.
  var traceMembers: OrderedDictionary<String, TraceValue> {
    [
      "source": .value(.string(source.rawValue)), "account": .value(.string(account.username)),
      "accountId": .value(.string(account.identifier)), "accessToken": .secret(accessToken),
      "expiresOn": .value(.string(expiresOn.rfc3339())), "extended": .value(.bool(extendedLifeTimeToken)),
      "scopes": TraceValue(scopes), "authority": .value(.string(authority)),
      "tenant": .value(.string(tenantProfile.tenantID)), "correlationId": .value(.string(correlationID)),
    ]
  }
}
