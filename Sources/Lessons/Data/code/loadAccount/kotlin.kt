/** In single-account mode: returns the account, or null if no user is signed in. */
fun loadAccount(application: ISingleAccountPublicClientApplication, done: (IAccount?) -> Unit) {
    application.getCurrentAccountAsync(object : ISingleAccountPublicClientApplication.CurrentAccountCallback {
        override fun onAccountLoaded(activeAccount: IAccount?) = done(activeAccount)

        override fun onAccountChanged(priorAccount: IAccount?, currentAccount: IAccount?) {
            // On a shared device, another user was signed in before. Don't show that user's data.
            clearDisplayedData()
            done(currentAccount)
        }

        override fun onError(exception: MsalException) = report(exception)
    })
}

/** With several accounts: returns the account with the identifier that the app stored. */
fun loadAccount(
    application: IMultipleAccountPublicClientApplication, identifier: String, done: (IAccount?) -> Unit
) {
    application.getAccount(identifier, object : IMultipleAccountPublicClientApplication.GetAccountCallback {
        override fun onTaskCompleted(result: IAccount?) = done(result)
        override fun onError(exception: MsalException) = report(exception)
    })
}
