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
