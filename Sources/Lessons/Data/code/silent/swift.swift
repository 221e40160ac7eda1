/// Returns a token without showing any UI, or nil if interaction is required.
func tokenSilently(for account: MSALAccount) async throws -> MSALResult? {
  let parameters = MSALSilentTokenParameters(scopes: scopes, account: account)
  do {
    return try await application.acquireTokenSilent(with: parameters)
  } catch let error as NSError where error.domain == MSALErrorDomain {
    switch MSALError(rawValue: error.code) {
    case .interactionRequired:
      return nil  // show the sign-in page, once
    case .serverDeclinedScopes:
      // Only some scopes were granted. The cache contains a token for these scopes.
      let granted = error.userInfo[MSALGrantedScopesKey] as? [String] ?? []
      return try await tokenSilently(for: account, scopes: granted)
    default:
      throw error  // a network, service, or configuration error: the sign-in page would not help
    }
  }
}

func tokenSilently(for account: MSALAccount, scopes: [String]) async throws -> MSALResult {
  try await application.acquireTokenSilent(with: MSALSilentTokenParameters(scopes: scopes, account: account))
}
