/** Returns a token silently if possible, and shows the sign-in page only if interaction is required. */
fun token(activity: Activity, done: (IAuthenticationResult) -> Unit) {
    loadAccount(application) { account ->
        if (account == null) {
            tokenInteractively(activity, null, done)
        } else {
            // Show the sign-in page only after MsalUiRequiredException.
            tokenSilently(account, done) { tokenInteractively(activity, account, done) }
        }
    }
}
