/// A token without showing anything; nil where only the user can go on.
func tokenSilently(for account: MSALAccount) async throws -> MSALResult? {
  let parameters = MSALSilentTokenParameters(scopes: scopes, account: account)
  do {
    return try await application.acquireTokenSilent(with: parameters)
  } catch let error as NSError where error.domain == MSALErrorDomain {
    switch MSALError(rawValue: error.code) {
    case .interactionRequired:
      return nil  // show the sign-in page, once
    case .serverDeclinedScopes:
      // Less was granted than asked for; the tokens for that part are kept.
      let granted = error.userInfo[MSALGrantedScopesKey] as? [String] ?? []
      return try await tokenSilently(for: account, scopes: granted)
    default:
      throw error  // the network, the service, the settings: no page would help
    }
  }
}

func tokenSilently(for account: MSALAccount, scopes: [String]) async throws -> MSALResult {
  try await application.acquireTokenSilent(with: MSALSilentTokenParameters(scopes: scopes, account: account))
}
