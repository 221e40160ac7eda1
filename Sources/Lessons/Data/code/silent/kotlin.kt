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
