/** Signs out of an app for one account at a time; on a shared device, of the device. */
void signOut(ISingleAccountPublicClientApplication application) {
    application.signOut(new ISingleAccountPublicClientApplication.SignOutCallback() {
        @Override
        public void onSignOut() {
            forgetWhatWasShown();
        }

        @Override
        public void onError(MsalException exception) {
            report(exception);
        }
    });
}

/** With several accounts: forgets one of them. */
void signOut(IMultipleAccountPublicClientApplication application, IAccount account) {
    application.removeAccount(account, new IMultipleAccountPublicClientApplication.RemoveAccountCallback() {
        @Override
        public void onRemoved() {
            forgetWhatWasShown();
        }

        @Override
        public void onError(MsalException exception) {
            report(exception);
        }
    });
}
