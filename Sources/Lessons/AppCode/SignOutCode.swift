extension AppCode {
  static let signout = AppCode(
    step: "signout",
    swift: .code(
      """
      /// Forgets the account in this app; with `everywhere` also in the browser.
      @MainActor func signOut(_ account: MSALAccount, everywhere: Bool = false) async throws {
        let webview = MSALWebviewParameters(authPresentationViewController: viewController)
        let parameters = MSALSignoutParameters(webviewParameters: webview)
        parameters.signoutFromBrowser = everywhere
        _ = try await application.signout(with: account, signoutParameters: parameters)
        forgetWhatWasShown()
      }
      """,
      note:
        "Nothing is revoked: an access token that was issued stays good until it ends. Closing the browser's page is no error."
    ),
    objc: .code(
      """
      // Forgets the account in this app; with everywhere also in the browser.
      - (void)signOut:(MSALAccount *)account everywhere:(BOOL)everywhere
      {
          MSALWebviewParameters *webview =
              [[MSALWebviewParameters alloc] initWithAuthPresentationViewController:self.viewController];
          MSALSignoutParameters *parameters = [[MSALSignoutParameters alloc] initWithWebviewParameters:webview];
          parameters.signoutFromBrowser = everywhere;
          [self.application signoutWithAccount:account
                             signoutParameters:parameters
                               completionBlock:^(BOOL success, NSError *error) {
              if (!success) {
                  [self report:error];
                  return;
              }
              [self forgetWhatWasShown];
          }];
      }
      """),
    csharp: .code(
      """
      /// Forgets the account in this app. The browser's session stays.
      public async Task SignOutAsync(IAccount account)
      {
          await application.RemoveAsync(account);
          ForgetWhatWasShown();
      }
      """, note: "MSAL.NET removes tokens from its cache only; there is no sign-out from the browser."),
    kotlin: .code(
      """
      /** Signs out of an app for one account at a time; on a shared device, of the device. */
      fun signOut(application: ISingleAccountPublicClientApplication) {
          application.signOut(object : ISingleAccountPublicClientApplication.SignOutCallback {
              override fun onSignOut() = forgetWhatWasShown()
              override fun onError(exception: MsalException) = report(exception)
          })
      }

      /** With several accounts: forgets one of them. */
      fun signOut(application: IMultipleAccountPublicClientApplication, account: IAccount) {
          application.removeAccount(account, object : IMultipleAccountPublicClientApplication.RemoveAccountCallback {
              override fun onRemoved() = forgetWhatWasShown()
              override fun onError(exception: MsalException) = report(exception)
          })
      }
      """),
    java: .code(
      """
      /** Signs out of an app for one account at a time; on a shared device, of the device. */
      void signOut(ISingleAccountPublicClientApplication application) {
          application.signOut(new ISingleAccountPublicClientApplication.SignOutCallback() {
              @Override
              public void onSignOut() {
                  forgetWhatWasShown();
              }

              @Override
              public void onError(MsalException exception) {
                  report(exception);
              }
          });
      }

      /** With several accounts: forgets one of them. */
      void signOut(IMultipleAccountPublicClientApplication application, IAccount account) {
          application.removeAccount(account, new IMultipleAccountPublicClientApplication.RemoveAccountCallback() {
              @Override
              public void onRemoved() {
                  forgetWhatWasShown();
              }

              @Override
              public void onError(MsalException exception) {
                  report(exception);
              }
          });
      }
      """),
    handles: ["success", "notFound"])
}
