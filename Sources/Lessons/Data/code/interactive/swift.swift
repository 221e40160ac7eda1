/// Shows the sign-in page. Returns nil if the user closes it.
@MainActor func tokenInteractively(for account: MSALAccount? = nil) async throws -> MSALResult? {
  let webview = MSALWebviewParameters(authPresentationViewController: viewController)
  let parameters = MSALInteractiveTokenParameters(scopes: scopes, webviewParameters: webview)
  parameters.account = account  // the page skips the username prompt
  do {
    return try await application.acquireToken(with: parameters)
  } catch let error as NSError where error.domain == MSALErrorDomain {
    switch MSALError(rawValue: error.code) {
    case .userCanceled:
      return nil  // not an error: leave the app's state unchanged
    case .serverDeclinedScopes:
      // The user granted only some scopes. The error contains the result for these scopes.
      return error.userInfo[MSALInvalidResultKey] as? MSALResult
    default:
      throw error
    }
  }
}
