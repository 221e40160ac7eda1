/** Shows the sign-in page. */
void tokenInteractively(Activity activity, IAccount account, Consumer<IAuthenticationResult> done) {
    AcquireTokenParameters parameters = new AcquireTokenParameters.Builder()
        .startAuthorizationFromActivity(activity)
        .withScopes(scopes)
        .forAccount(account) // the page skips the username prompt
        .withCallback(new AuthenticationCallback() {
            @Override
            public void onSuccess(IAuthenticationResult authenticationResult) {
                done.accept(authenticationResult);
            }

            @Override
            public void onCancel() {
                // Not an error: leave the app's state unchanged.
            }

            @Override
            public void onError(MsalException exception) {
                if (exception instanceof MsalDeclinedScopeException) {
                    // Only some scopes were granted. The cache contains a token for these scopes.
                    continueWith(((MsalDeclinedScopeException) exception).getGrantedScopes());
                } else {
                    report(exception);
                }
            }
        })
        .build();
    application.acquireToken(parameters);
}
