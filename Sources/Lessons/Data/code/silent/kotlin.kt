/** Returns a token without showing any UI. */
fun tokenSilently(account: IAccount, done: (IAuthenticationResult) -> Unit, signInInteractively: () -> Unit) {
    val parameters = AcquireTokenSilentParameters.Builder()
        .forAccount(account)
        .fromAuthority(account.authority)
        .withScopes(scopes)
        .withCallback(object : SilentAuthenticationCallback {
            override fun onSuccess(authenticationResult: IAuthenticationResult) = done(authenticationResult)

            override fun onError(exception: MsalException) = when (exception) {
                is MsalUiRequiredException -> signInInteractively() // show the sign-in page, once
                // Only some scopes were granted. The cache contains a token for these scopes.
                is MsalDeclinedScopeException ->
                    application.acquireTokenSilentAsync(exception.silentParametersForGrantedScopes)
                else -> report(exception) // a network, service, or configuration error: the sign-in page would not help
            }
        })
        .build()
    application.acquireTokenSilentAsync(parameters)
}
