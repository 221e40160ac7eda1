/** Returns a token without showing any UI. */
void tokenSilently(IAccount account, Consumer<IAuthenticationResult> done, Runnable signInInteractively) {
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
                    signInInteractively.run(); // show the sign-in page, once
                } else if (exception instanceof MsalDeclinedScopeException) {
                    // Only some scopes were granted. The cache contains a token for these scopes.
                    application.acquireTokenSilentAsync(
                        ((MsalDeclinedScopeException) exception).getSilentParametersForGrantedScopes());
                } else {
                    report(exception); // a network, service, or configuration error: the sign-in page would not help
                }
            }
        })
        .build();
    application.acquireTokenSilentAsync(parameters);
}
