import Documents
import IdentityPlatform
import OAuth

extension MSALError {
  /// The `userInfo` dictionary that an app receives. Does not contain secrets.
  package var userInfo: JSON {
    var info: JSON = ["MSALErrorDescriptionKey": .string(message)]
    func add(_ key: String, _ value: String?) {
      if let value { info[key] = .string(value) }
    }
    add("MSALOAuthErrorKey", oauthError)
    add("MSALOAuthSubErrorKey", suberror)
    add("MSALOAuthSubErrorDescriptionKey", suberrorDescription)
    let codes = effectiveSTSErrorCodes
    if !codes.isEmpty { info["MSALSTSErrorCodesKey"] = .array(codes.map { .integer(Int64($0)) }) }
    if let internalCode { info["MSALInternalErrorCodeKey"] = .integer(Int64(internalCode)) }
    add("MSALHTTPResponseCodeKey", isHTTPError ? httpStatus.map { String($0) } : nil)
    if !httpHeaders.isEmpty {
      var headers: JSON = [:]
      for entry in httpHeaders.entries { headers[entry.name] = .string(entry.value) }
      info["MSALHTTPHeadersKey"] = headers
    }
    add("MSALCorrelationIDKey", correlationID)
    if let grantedScopes { info["MSALGrantedScopesKey"] = .array(grantedScopes.map { .string($0) }) }
    if let declinedScopes { info["MSALDeclinedScopesKey"] = .array(declinedScopes.map { .string($0) }) }
    if let invalidResult { info["MSALInvalidResultKey"] = invalidResult.json }
    add("MSALDisplayableUserIdKey", displayableUserID)
    add("MSALHomeAccountIdKey", homeAccountID)
    if isThrottlingCacheHit { info["MSALThrottlingCacheHitKey"] = 1 }
    if let underlying { info["NSUnderlyingErrorKey"] = underlying.json }
    return info
  }

  /// The AADSTS numbers of the error, or those of the underlying error if the error itself has none.
  private var effectiveSTSErrorCodes: [Int] {
    stsErrorCodes.isEmpty ? underlying?.effectiveSTSErrorCodes ?? [] : stsErrorCodes
  }

  /// The error as JSON: the domain, codes, names, and `userInfo`.
  package var json: JSON {
    let number = code?.rawValue ?? system?.code
    return [
      "domain": .string(domain), "code": number.map { .integer(Int64($0)) } ?? .null, "name": .string(symbol),
      "internalName": internalSymbol.map { .string($0) } ?? .null, "outcome": .string(outcomeName),
      "userInfo": userInfo,
    ]
  }
}
