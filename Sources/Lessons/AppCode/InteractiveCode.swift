extension AppCode {
  static let interactive = AppCode(
    step: "interactive",
    swift: .code(
      """
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
      """,
      note:
        "The result may be of somebody else than the account that was asked for: compare identifiers where that matters."
    ),
    objc: .code(
      """
      // Shows the sign-in page; neither a result nor an error where the user closed it.
      - (void)tokenInteractivelyForAccount:(nullable MSALAccount *)account
                                completion:(void (^)(MSALResult *_Nullable result, NSError *_Nullable error))completion
      {
          MSALWebviewParameters *webview =
              [[MSALWebviewParameters alloc] initWithAuthPresentationViewController:self.viewController];
          MSALInteractiveTokenParameters *parameters =
              [[MSALInteractiveTokenParameters alloc] initWithScopes:self.scopes webviewParameters:webview];
          parameters.account = account; // whoever is known already types no name
          [self.application acquireTokenWithParameters:parameters
                                       completionBlock:^(MSALResult *result, NSError *error) {
              if (result == nil && [error.domain isEqualToString:MSALErrorDomain]) {
                  switch (error.code) {
                      case MSALErrorUserCanceled:
                          completion(nil, nil); // an answer, not a breakdown: the app stays as it was
                          return;
                      case MSALErrorServerDeclinedScopes:
                          // A token came, for less than was asked for; MSAL hands it over beside the error.
                          completion(error.userInfo[MSALInvalidResultKey], nil);
                          return;
                      default:
                          break;
                  }
              }
              completion(result, error);
          }];
      }
      """),
    csharp: .code(
      """
      /// Shows the sign-in page; null where the user closed it.
      public async Task<AuthenticationResult?> TokenInteractivelyAsync(IAccount? account = null)
      {
          try
          {
              return await application.AcquireTokenInteractive(scopes)
                  .WithAccount(account) // whoever is known already types no name
                  .ExecuteAsync();
          }
          catch (MsalClientException exception) when (exception.ErrorCode == MsalError.AuthenticationCanceledError)
          {
              return null; // an answer, not a breakdown: the app stays as it was
          }
          catch (MsalServiceException exception) when (exception.ErrorCode == "access_denied")
          {
              return null; // the user, or a rule, declined
          }
      }
      """,
      note: "A consent given in part is no exception here: compare AuthenticationResult.Scopes with what was asked for."
    ),
    kotlin: .code(
      """
      /** Shows the sign-in page. */
      fun tokenInteractively(activity: Activity, account: IAccount?, done: (IAuthenticationResult) -> Unit) {
          val parameters = AcquireTokenParameters.Builder()
              .startAuthorizationFromActivity(activity)
              .withScopes(scopes)
              .forAccount(account) // whoever is known already types no name
              .withCallback(object : AuthenticationCallback {
                  override fun onSuccess(authenticationResult: IAuthenticationResult) = done(authenticationResult)

                  override fun onCancel() {
                      // An answer, not a breakdown: the app stays as it was.
                  }

                  override fun onError(exception: MsalException) = when (exception) {
                      // Less was granted than asked for; the tokens for that part are kept.
                      is MsalDeclinedScopeException -> goOnWith(exception.grantedScopes)
                      else -> report(exception)
                  }
              })
              .build()
          application.acquireToken(parameters)
      }
      """, note: "In an app for one account at a time the first sign-in is signIn with SignInParameters."),
    java: .code(
      """
      /** Shows the sign-in page. */
      void tokenInteractively(Activity activity, IAccount account, Consumer<IAuthenticationResult> done) {
          AcquireTokenParameters parameters = new AcquireTokenParameters.Builder()
              .startAuthorizationFromActivity(activity)
              .withScopes(scopes)
              .forAccount(account) // whoever is known already types no name
              .withCallback(new AuthenticationCallback() {
                  @Override
                  public void onSuccess(IAuthenticationResult authenticationResult) {
                      done.accept(authenticationResult);
                  }

                  @Override
                  public void onCancel() {
                      // An answer, not a breakdown: the app stays as it was.
                  }

                  @Override
                  public void onError(MsalException exception) {
                      if (exception instanceof MsalDeclinedScopeException) {
                          // Less was granted than asked for; the tokens for that part are kept.
                          goOnWith(((MsalDeclinedScopeException) exception).getGrantedScopes());
                      } else {
                          report(exception);
                      }
                  }
              })
              .build();
          application.acquireToken(parameters);
      }
      """, note: "In an app for one account at a time the first sign-in is signIn with SignInParameters."),
    handles: ["userCanceled", "serverDeclinedScopes"])
}
