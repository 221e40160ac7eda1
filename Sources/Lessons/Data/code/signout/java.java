/** In single-account mode: signs the user out of the app, or of a shared device. */
void signOut(ISingleAccountPublicClientApplication application) {
    application.signOut(new ISingleAccountPublicClientApplication.SignOutCallback() {
        @Override
        public void onSignOut() {
            clearDisplayedData();
        }

        @Override
        public void onError(MsalException exception) {
            report(exception);
        }
    });
}

/** In multiple-account mode: removes an account. */
void signOut(IMultipleAccountPublicClientApplication application, IAccount account) {
    application.removeAccount(account, new IMultipleAccountPublicClientApplication.RemoveAccountCallback() {
        @Override
        public void onRemoved() {
            clearDisplayedData();
        }

        @Override
        public void onError(MsalException exception) {
            report(exception);
        }
    });
}
