/** The account of an app for one account at a time; null where nobody is signed in. */
fun loadAccount(application: ISingleAccountPublicClientApplication, done: (IAccount?) -> Unit) {
    application.getCurrentAccountAsync(object : ISingleAccountPublicClientApplication.CurrentAccountCallback {
        override fun onAccountLoaded(activeAccount: IAccount?) = done(activeAccount)

        override fun onAccountChanged(priorAccount: IAccount?, currentAccount: IAccount?) {
            // On a shared device somebody else was here before: nothing of theirs may be shown.
            forgetWhatWasShown()
            done(currentAccount)
        }

        override fun onError(exception: MsalException) = report(exception)
    })
}

/** With several accounts: the one whose identifier the app remembered. */
fun loadAccount(
    application: IMultipleAccountPublicClientApplication, identifier: String, done: (IAccount?) -> Unit
) {
    application.getAccount(identifier, object : IMultipleAccountPublicClientApplication.GetAccountCallback {
        override fun onTaskCompleted(result: IAccount?) = done(result)
        override fun onError(exception: MsalException) = report(exception)
    })
}
