/** In single-account mode: signs the user out of the app, or of a shared device. */
fun signOut(application: ISingleAccountPublicClientApplication) {
    application.signOut(object : ISingleAccountPublicClientApplication.SignOutCallback {
        override fun onSignOut() = clearDisplayedData()
        override fun onError(exception: MsalException) = report(exception)
    })
}

/** In multiple-account mode: removes an account. */
fun signOut(application: IMultipleAccountPublicClientApplication, account: IAccount) {
    application.removeAccount(account, object : IMultipleAccountPublicClientApplication.RemoveAccountCallback {
        override fun onRemoved() = clearDisplayedData()
        override fun onError(exception: MsalException) = report(exception)
    })
}
