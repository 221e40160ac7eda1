/// Forgets the account in this app. The browser's session stays.
public async Task SignOutAsync(IAccount account)
{
    await application.RemoveAsync(account);
    ForgetWhatWasShown();
}
