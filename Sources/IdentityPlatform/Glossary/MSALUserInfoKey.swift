/// A key in the `userInfo` dictionary of MSAL errors. The value of each constant is the same as its name.
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

  /// The recommended way to use the value.
  package var advice: String { record.text("advice") }

  /// The errors that contain the key.
  package var carriers: [String] { record.list("carriers") }

  private var record: DataRecord { Self.records["\(self)"] ?? DataRecord() }

  private static let records = DataRecord.byName(EmbeddedData.text("user-info-keys.txt"))
}
