extension AppCode {
  static let loadAccount = AppCode(
    step: "loadAccount",
    swift: .code(
      """
      /// The account that this app works for; nil where nobody is signed in.
      func loadAccount() async throws -> MSALAccount? {
        let (account, previous) = try await application.currentAccount(with: MSALParameters())
        if previous != nil {
          // On a shared device somebody else was here before: nothing of theirs may be shown.
          forgetWhatWasShown()
        }
        return account
      }

      /// With several accounts: the one whose identifier the app remembered.
      func loadAccount(identifier: String) throws -> MSALAccount? {
        let parameters = MSALAccountEnumerationParameters(identifier: identifier)
        return try application.accounts(for: parameters).first
      }
      """,
      note: """
        currentAccount(with:) is getCurrentAccount(with:completionBlock:) as Swift's await spells it. With several accounts it ends in \
        MSALError.internal, with MSALInternalErrorCodeKey -42102 (ambiguousAccount). \
        account(forIdentifier:) is avoided here: where there is no such account, Swift makes an error of the missing object.
        """),
    objc: .code(
      """
      // The account that this app works for; nil where nobody is signed in.
      - (void)loadAccount:(void (^)(MSALAccount *_Nullable account, NSError *_Nullable error))completion
      {
          MSALParameters *parameters = [MSALParameters new];
          [self.application getCurrentAccountWithParameters:parameters
                                            completionBlock:^(MSALAccount *account, MSALAccount *previous, NSError *error) {
              if (error != nil) {
                  completion(nil, error);
                  return;
              }
              if (previous != nil) {
                  // On a shared device somebody else was here before.
                  [self forgetWhatWasShown];
              }
              completion(account, nil);
          }];
      }

      // With several accounts: the one whose identifier the app remembered.
      - (nullable MSALAccount *)accountWithIdentifier:(NSString *)identifier
      {
          NSError *error = nil;
          MSALAccount *account = [self.application accountForIdentifier:identifier error:&error];
          if (account == nil && error != nil) {
              [self report:error];
          }
          return account;
      }
      """),
    csharp: .code(
      """
      /// The account that this app works for; null where nobody is signed in.
      public async Task<IAccount?> LoadAccountAsync(string? rememberedIdentifier)
      {
          if (rememberedIdentifier != null)
          {
              return await application.GetAccountAsync(rememberedIdentifier);
          }
          var accounts = await application.GetAccountsAsync();
          return accounts.FirstOrDefault();
      }
      """,
      note:
        "MSAL.NET knows no current account: with several, the app remembers HomeAccountId.Identifier of the one it means."
    ),
    kotlin: .code(
      """
      /** The account of an app for one account at a time; null where nobody is signed in. */
      fun loadAccount(application: ISingleAccountPublicClientApplication, done: (IAccount?) -> Unit) {
          application.getCurrentAccountAsync(object : ISingleAccountPublicClientApplication.CurrentAccountCallback {
              override fun onAccountLoaded(activeAccount: IAccount?) = done(activeAccount)

              override fun onAccountChanged(priorAccount: IAccount?, currentAccount: IAccount?) {
                  // On a shared device somebody else was here before: nothing of theirs may be shown.
                  forgetWhatWasShown()
                  done(currentAccount)
              }

              override fun onError(exception: MsalException) = report(exception)
          })
      }

      /** With several accounts: the one whose identifier the app remembered. */
      fun loadAccount(
          application: IMultipleAccountPublicClientApplication, identifier: String, done: (IAccount?) -> Unit
      ) {
          application.getAccount(identifier, object : IMultipleAccountPublicClientApplication.GetAccountCallback {
              override fun onTaskCompleted(result: IAccount?) = done(result)
              override fun onError(exception: MsalException) = report(exception)
          })
      }
      """),
    java: .code(
      """
      /** The account of an app for one account at a time; null where nobody is signed in. */
      void loadAccount(ISingleAccountPublicClientApplication application, Consumer<IAccount> done) {
          application.getCurrentAccountAsync(new ISingleAccountPublicClientApplication.CurrentAccountCallback() {
              @Override
              public void onAccountLoaded(IAccount activeAccount) {
                  done.accept(activeAccount);
              }

              @Override
              public void onAccountChanged(IAccount priorAccount, IAccount currentAccount) {
                  // On a shared device somebody else was here before: nothing of theirs may be shown.
                  forgetWhatWasShown();
                  done.accept(currentAccount);
              }

              @Override
              public void onError(MsalException exception) {
                  report(exception);
              }
          });
      }
      """),
    handles: ["found", "notFound"])
}
