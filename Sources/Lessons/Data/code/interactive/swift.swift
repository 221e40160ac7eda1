/// Shows the sign-in page; nil where the user closed it.
@MainActor func tokenInteractively(for account: MSALAccount? = nil) async throws -> MSALResult? {
  let webview = MSALWebviewParameters(authPresentationViewController: viewController)
  let parameters = MSALInteractiveTokenParameters(scopes: scopes, webviewParameters: webview)
  parameters.account = account  // whoever is known already types no name
  do {
    return try await application.acquireToken(with: parameters)
  } catch let error as NSError where error.domain == MSALErrorDomain {
    switch MSALError(rawValue: error.code) {
    case .userCanceled:
      return nil  // an answer, not a breakdown: the app stays as it was
    case .serverDeclinedScopes:
      // A token came, for less than was asked for; MSAL hands it over beside the error.
      return error.userInfo[MSALInvalidResultKey] as? MSALResult
    default:
      throw error
    }
  }
}
