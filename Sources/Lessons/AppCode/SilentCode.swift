extension AppCode {
  static let silent = AppCode(
    step: "silent",
    swift: .code(
      """
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
      """),
    objc: .code(
      """
      // A token without showing anything; neither a result nor an error where only the user can go on.
      - (void)tokenSilentlyForAccount:(MSALAccount *)account
                           completion:(void (^)(MSALResult *_Nullable result, NSError *_Nullable error))completion
      {
          MSALSilentTokenParameters *parameters = [[MSALSilentTokenParameters alloc] initWithScopes:self.scopes
                                                                                            account:account];
          [self.application acquireTokenSilentWithParameters:parameters
                                             completionBlock:^(MSALResult *result, NSError *error) {
              if (result != nil) {
                  completion(result, nil);
                  return;
              }
              if ([error.domain isEqualToString:MSALErrorDomain]) {
                  switch (error.code) {
                      case MSALErrorInteractionRequired:
                          completion(nil, nil); // show the sign-in page, once
                          return;
                      case MSALErrorServerDeclinedScopes:
                          // Less was granted than asked for; the tokens for that part are kept.
                          [self goOnWithScopes:error.userInfo[MSALGrantedScopesKey]];
                          return;
                      default:
                          break;
                  }
              }
              completion(nil, error); // the network, the service, the settings: no page would help
          }];
      }
      """),
    csharp: .code(
      """
      /// A token without showing anything; null where only the user can go on.
      public async Task<AuthenticationResult?> TokenSilentlyAsync(IAccount? account)
      {
          try
          {
              return await application.AcquireTokenSilent(scopes, account).ExecuteAsync();
          }
          catch (MsalUiRequiredException)
          {
              return null; // show the sign-in page, once
          }
          catch (MsalServiceException exception) when (exception.StatusCode == 429 || exception.StatusCode >= 500)
          {
              Report(exception); // the service is busy or down: no page would help
              throw;
          }
      }
      """,
      note: """
        What MSAL for iOS and macOS calls serverDeclinedScopes is no exception here: compare AuthenticationResult.Scopes with what \
        was asked for.
        """),
    kotlin: .code(
      """
      /** A token without showing anything. */
      fun tokenSilently(account: IAccount, done: (IAuthenticationResult) -> Unit, askTheUser: () -> Unit) {
          val parameters = AcquireTokenSilentParameters.Builder()
              .forAccount(account)
              .fromAuthority(account.authority)
              .withScopes(scopes)
              .withCallback(object : SilentAuthenticationCallback {
                  override fun onSuccess(authenticationResult: IAuthenticationResult) = done(authenticationResult)

                  override fun onError(exception: MsalException) = when (exception) {
                      is MsalUiRequiredException -> askTheUser() // show the sign-in page, once
                      // Less was granted than asked for; the tokens for that part are kept.
                      is MsalDeclinedScopeException ->
                          application.acquireTokenSilentAsync(exception.silentParametersForGrantedScopes)
                      else -> report(exception) // the network, the service, the settings: no page would help
                  }
              })
              .build()
          application.acquireTokenSilentAsync(parameters)
      }
      """),
    java: .code(
      """
      /** A token without showing anything. */
      void tokenSilently(IAccount account, Consumer<IAuthenticationResult> done, Runnable askTheUser) {
          AcquireTokenSilentParameters parameters = new AcquireTokenSilentParameters.Builder()
              .forAccount(account)
              .fromAuthority(account.getAuthority())
              .withScopes(scopes)
              .withCallback(new SilentAuthenticationCallback() {
                  @Override
                  public void onSuccess(IAuthenticationResult authenticationResult) {
                      done.accept(authenticationResult);
                  }

                  @Override
                  public void onError(MsalException exception) {
                      if (exception instanceof MsalUiRequiredException) {
                          askTheUser.run(); // show the sign-in page, once
                      } else if (exception instanceof MsalDeclinedScopeException) {
                          // Less was granted than asked for; the tokens for that part are kept.
                          application.acquireTokenSilentAsync(
                              ((MsalDeclinedScopeException) exception).getSilentParametersForGrantedScopes());
                      } else {
                          report(exception); // the network, the service, the settings: no page would help
                      }
                  }
              })
              .build();
          application.acquireTokenSilentAsync(parameters);
      }
      """),
    handles: ["interactionRequired", "serverDeclinedScopes"])
}
