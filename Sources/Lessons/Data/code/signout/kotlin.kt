/** Signs out of an app for one account at a time; on a shared device, of the device. */
fun signOut(application: ISingleAccountPublicClientApplication) {
    application.signOut(object : ISingleAccountPublicClientApplication.SignOutCallback {
        override fun onSignOut() = forgetWhatWasShown()
        override fun onError(exception: MsalException) = report(exception)
    })
}

/** With several accounts: forgets one of them. */
fun signOut(application: IMultipleAccountPublicClientApplication, account: IAccount) {
    application.removeAccount(account, object : IMultipleAccountPublicClientApplication.RemoveAccountCallback {
        override fun onRemoved() = forgetWhatWasShown()
        override fun onError(exception: MsalException) = report(exception)
    })
}
