/** In multiple-account mode: returns all accounts. */
void listAccounts(IMultipleAccountPublicClientApplication application, Consumer<List<IAccount>> done) {
    application.getAccounts(new IPublicClientApplication.LoadAccountsCallback() {
        @Override
        public void onTaskCompleted(List<IAccount> result) {
            done.accept(result);
        }

        @Override
        public void onError(MsalException exception) {
            report(exception);
        }
    });
}
