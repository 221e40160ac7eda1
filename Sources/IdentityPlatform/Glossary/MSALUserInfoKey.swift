/// A key of the userInfo dictionary of MSAL's errors. The constant's value is its own name.
package enum MSALUserInfoKey: String, Sendable, CaseIterable {
  case oauthError = "MSALOAuthErrorKey"
  case oauthSubError = "MSALOAuthSubErrorKey"
  case oauthSubErrorDescription = "MSALOAuthSubErrorDescriptionKey"
  case errorDescription = "MSALErrorDescriptionKey"
  case stsErrorCodes = "MSALSTSErrorCodesKey"
  case internalErrorCode = "MSALInternalErrorCodeKey"
  case httpHeaders = "MSALHTTPHeadersKey"
  case httpResponseCode = "MSALHTTPResponseCodeKey"
  case correlationID = "MSALCorrelationIDKey"
  case grantedScopes = "MSALGrantedScopesKey"
  case declinedScopes = "MSALDeclinedScopesKey"
  case invalidResult = "MSALInvalidResultKey"
  case displayableUserID = "MSALDisplayableUserIdKey"
  case homeAccountID = "MSALHomeAccountIdKey"
  case brokerVersion = "MSALBrokerVersionKey"
  case throttlingCacheHit = "MSALThrottlingCacheHitKey"
  case underlyingError = "NSUnderlyingErrorKey"

  package var meaning: String { record.text("meaning") }

  /// What to do with it.
  package var advice: String { record.text("advice") }

  /// The errors that carry it.
  package var carriers: [String] { record.words("carriers") }

  private var record: DataRecord { Self.records["\(self)"] ?? DataRecord() }

  private static let records = DataRecord.byName(EmbeddedData.text("user-info-keys.txt"))
}
