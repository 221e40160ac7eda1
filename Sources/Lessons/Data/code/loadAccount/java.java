/** The account of an app for one account at a time; null where nobody is signed in. */
void loadAccount(ISingleAccountPublicClientApplication application, Consumer<IAccount> done) {
    application.getCurrentAccountAsync(new ISingleAccountPublicClientApplication.CurrentAccountCallback() {
        @Override
        public void onAccountLoaded(IAccount activeAccount) {
            done.accept(activeAccount);
        }

        @Override
        public void onAccountChanged(IAccount priorAccount, IAccount currentAccount) {
            // On a shared device somebody else was here before: nothing of theirs may be shown.
            forgetWhatWasShown();
            done.accept(currentAccount);
        }

        @Override
        public void onError(MsalException exception) {
            report(exception);
        }
    });
}
