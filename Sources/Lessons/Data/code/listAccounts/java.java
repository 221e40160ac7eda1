/** All accounts of an app for several accounts. */
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
