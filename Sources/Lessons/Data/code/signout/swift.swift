/// Signs the account out of this app and, with `everywhere`, out of the browser.
@MainActor func signOut(_ account: MSALAccount, everywhere: Bool = false) async throws {
  let webview = MSALWebviewParameters(authPresentationViewController: viewController)
  let parameters = MSALSignoutParameters(webviewParameters: webview)
  parameters.signoutFromBrowser = everywhere
  _ = try await application.signout(with: account, signoutParameters: parameters)
  clearDisplayedData()
}
