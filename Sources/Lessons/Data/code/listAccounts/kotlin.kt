/** In multiple-account mode: returns all accounts. */
fun listAccounts(application: IMultipleAccountPublicClientApplication, done: (List<IAccount>) -> Unit) {
    application.getAccounts(object : IPublicClientApplication.LoadAccountsCallback {
        override fun onTaskCompleted(result: List<IAccount>) = done(result)
        override fun onError(exception: MsalException) = report(exception)
    })
}
