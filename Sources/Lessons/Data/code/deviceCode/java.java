/** A token by way of a code that the user types on another device. */
void tokenByDeviceCode(Consumer<IAuthenticationResult> done) {
    application.acquireTokenWithDeviceCode(scopes, new IPublicClientApplication.DeviceCodeFlowCallback() {
        @Override
        public void onUserCodeReceived(
            String vUri, String userCode, String message, Date sessionExpirationDate) {
            show(message); // holds the address and the code
        }

        @Override
        public void onTokenReceived(IAuthenticationResult authResult) {
            done.accept(authResult);
        }

        @Override
        public void onError(MsalException exception) {
            report(exception); // declined, or took too long: getErrorCode() says which
        }
    });
}
