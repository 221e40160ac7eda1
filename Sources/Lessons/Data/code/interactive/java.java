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
