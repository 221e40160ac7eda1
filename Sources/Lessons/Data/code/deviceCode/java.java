/** Returns a token after the user enters a code on another device. */
void tokenByDeviceCode(Consumer<IAuthenticationResult> done) {
    application.acquireTokenWithDeviceCode(scopes, new IPublicClientApplication.DeviceCodeFlowCallback() {
        @Override
        public void onUserCodeReceived(
            String vUri, String userCode, String message, Date sessionExpirationDate) {
            show(message); // contains the URL and the code
        }

        @Override
        public void onTokenReceived(IAuthenticationResult authResult) {
            done.accept(authResult);
        }

        @Override
        public void onError(MsalException exception) {
            report(exception); // getErrorCode() shows whether the user declined or the code expired
        }
    });
}
