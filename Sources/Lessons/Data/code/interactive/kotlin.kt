/** Shows the sign-in page. */
fun tokenInteractively(activity: Activity, account: IAccount?, done: (IAuthenticationResult) -> Unit) {
    val parameters = AcquireTokenParameters.Builder()
        .startAuthorizationFromActivity(activity)
        .withScopes(scopes)
        .forAccount(account) // the page skips the username prompt
        .withCallback(object : AuthenticationCallback {
            override fun onSuccess(authenticationResult: IAuthenticationResult) = done(authenticationResult)

            override fun onCancel() {
                // Not an error: leave the app's state unchanged.
            }

            override fun onError(exception: MsalException) = when (exception) {
                // Only some scopes were granted. The cache contains a token for these scopes.
                is MsalDeclinedScopeException -> continueWith(exception.grantedScopes)
                else -> report(exception)
            }
        })
        .build()
    application.acquireToken(parameters)
}
