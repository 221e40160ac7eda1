/** A token by way of a code that the user types on another device. */
fun tokenByDeviceCode(done: (IAuthenticationResult) -> Unit) {
    application.acquireTokenWithDeviceCode(scopes, object : IPublicClientApplication.DeviceCodeFlowCallback {
        override fun onUserCodeReceived(
            vUri: String, userCode: String, message: String, sessionExpirationDate: Date
        ) {
            show(message) // holds the address and the code
        }

        override fun onTokenReceived(authResult: IAuthenticationResult) = done(authResult)

        // Declined, or took too long: MsalException.errorCode says which.
        override fun onError(exception: MsalException) = report(exception)
    })
}
