extension AppCode {
  static let listAccounts = AppCode(
    step: "listAccounts",
    swift: .code(
      """
      /// All accounts that this app can use, those of the device's broker included.
      func listAccounts() async throws -> [MSALAccount] {
        let parameters = MSALAccountEnumerationParameters()
        parameters.returnOnlySignedInAccounts = true
        return try await application.accountsFromDevice(for: parameters)
      }
      """),
    objc: .code(
      """
      // All accounts that this app can use, those of the device's broker included.
      - (void)listAccounts:(void (^)(NSArray<MSALAccount *> *accounts))completion
      {
          MSALAccountEnumerationParameters *parameters = [MSALAccountEnumerationParameters new];
          parameters.returnOnlySignedInAccounts = YES;
          [self.application accountsFromDeviceForParameters:parameters
                                            completionBlock:^(NSArray<MSALAccount *> *accounts, NSError *error) {
              if (accounts == nil) {
                  [self report:error];
                  return;
              }
              completion(accounts);
          }];
      }
      """),
    csharp: .code(
      """
      /// All accounts that this app can use.
      public async Task<IReadOnlyList<IAccount>> ListAccountsAsync()
      {
          var accounts = await application.GetAccountsAsync();
          return accounts.ToList();
      }
      """),
    kotlin: .code(
      """
      /** All accounts of an app for several accounts. */
      fun listAccounts(application: IMultipleAccountPublicClientApplication, done: (List<IAccount>) -> Unit) {
          application.getAccounts(object : IPublicClientApplication.LoadAccountsCallback {
              override fun onTaskCompleted(result: List<IAccount>) = done(result)
              override fun onError(exception: MsalException) = report(exception)
          })
      }
      """, note: "An app made for one account at a time has none of this; it asks getCurrentAccountAsync."),
    java: .code(
      """
      /** All accounts of an app for several accounts. */
      void listAccounts(IMultipleAccountPublicClientApplication application, Consumer<List<IAccount>> done) {
          application.getAccounts(new IPublicClientApplication.LoadAccountsCallback() {
              @Override
              public void onTaskCompleted(List<IAccount> result) {
                  done.accept(result);
              }

              @Override
              public void onError(MsalException exception) {
                  report(exception);
              }
          });
      }
      """, note: "An app made for one account at a time has none of this; it asks getCurrentAccountAsync."),
    handles: ["found", "notFound"])
}
