extension AppCode {
  static let interactiveFallback = AppCode(
    step: "interactive-fallback",
    swift: .code(
      """
      /// The whole pattern: who is here, silently, and the page only where that was not enough.
      @MainActor func token() async throws -> MSALResult? {
        let account = try await loadAccount()
        if let account, let result = try await tokenSilently(for: account) {
          return result
        }
        return try await tokenInteractively(for: account)
      }
      """,
      note: """
        loadAccount, tokenSilently and tokenInteractively are those that authflow explain shows for loadAccount, silent and \
        interactive: tokenSilently gives nil with interactionRequired alone, and throws whatever no page could mend.
        """),
    objc: .code(
      """
      // The whole pattern: who is here, silently, and the page only where that was not enough.
      - (void)token:(void (^)(MSALResult *_Nullable result, NSError *_Nullable error))completion
      {
          [self loadAccount:^(MSALAccount *account, NSError *error) {
              if (error != nil) {
                  completion(nil, error);
                  return;
              }
              if (account == nil) {
                  [self tokenInteractivelyForAccount:nil completion:completion];
                  return;
              }
              [self tokenSilentlyForAccount:account completion:^(MSALResult *result, NSError *error) {
                  if (result != nil || error != nil) {
                      completion(result, error);
                      return;
                  }
                  // interactionRequired, and nothing else
                  [self tokenInteractivelyForAccount:account completion:completion];
              }];
          }];
      }
      """),
    csharp: .code(
      """
      /// The whole pattern: who is here, silently, and the page only where that was not enough.
      public async Task<AuthenticationResult?> TokenAsync()
      {
          var account = await LoadAccountAsync(rememberedIdentifier);
          if (account != null)
          {
              var result = await TokenSilentlyAsync(account);
              if (result != null)
              {
                  return result;
              }
          }
          return await TokenInteractivelyAsync(account); // after MsalUiRequiredException, and nothing else
      }
      """),
    kotlin: .code(
      """
      /** The whole pattern: who is here, silently, and the page only where that was not enough. */
      fun token(activity: Activity, done: (IAuthenticationResult) -> Unit) {
          loadAccount(application) { account ->
              if (account == null) {
                  tokenInteractively(activity, null, done)
              } else {
                  // The page comes after MsalUiRequiredException, and after nothing else.
                  tokenSilently(account, done) { tokenInteractively(activity, account, done) }
              }
          }
      }
      """),
    java: .code(
      """
      /** The whole pattern: who is here, silently, and the page only where that was not enough. */
      void token(Activity activity, Consumer<IAuthenticationResult> done) {
          loadAccount(application, account -> {
              if (account == null) {
                  tokenInteractively(activity, null, done);
              } else {
                  // The page comes after MsalUiRequiredException, and after nothing else.
                  tokenSilently(account, done, () -> tokenInteractively(activity, account, done));
              }
          });
      }
      """),
    handles: ["interactionRequired"])
}
