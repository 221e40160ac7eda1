/** In single-account mode: returns the account, or null if no user is signed in. */
void loadAccount(ISingleAccountPublicClientApplication application, Consumer<IAccount> done) {
    application.getCurrentAccountAsync(new ISingleAccountPublicClientApplication.CurrentAccountCallback() {
        @Override
        public void onAccountLoaded(IAccount activeAccount) {
            done.accept(activeAccount);
        }

        @Override
        public void onAccountChanged(IAccount priorAccount, IAccount currentAccount) {
            // On a shared device, another user was signed in before. Don't show that user's data.
            clearDisplayedData();
            done.accept(currentAccount);
        }

        @Override
        public void onError(MsalException exception) {
            report(exception);
        }
    });
}
