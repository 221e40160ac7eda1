/// Signs the account out of this app. The browser session remains.
public async Task SignOutAsync(IAccount account)
{
    await application.RemoveAsync(account);
    ClearDisplayedData();
}
