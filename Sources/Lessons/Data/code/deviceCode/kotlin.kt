/** Returns a token after the user enters a code on another device. */
fun tokenByDeviceCode(done: (IAuthenticationResult) -> Unit) {
    application.acquireTokenWithDeviceCode(scopes, object : IPublicClientApplication.DeviceCodeFlowCallback {
        override fun onUserCodeReceived(
            vUri: String, userCode: String, message: String, sessionExpirationDate: Date
        ) {
            show(message) // contains the URL and the code
        }

        override fun onTokenReceived(authResult: IAuthenticationResult) = done(authResult)

        // MsalException.errorCode shows whether the user declined or the code expired.
        override fun onError(exception: MsalException) = report(exception)
    })
}
