/** The whole pattern: who is here, silently, and the page only where that was not enough. */
fun token(activity: Activity, done: (IAuthenticationResult) -> Unit) {
    loadAccount(application) { account ->
        if (account == null) {
            tokenInteractively(activity, null, done)
        } else {
            // The page comes after MsalUiRequiredException, and after nothing else.
            tokenSilently(account, done) { tokenInteractively(activity, account, done) }
        }
    }
}
