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
