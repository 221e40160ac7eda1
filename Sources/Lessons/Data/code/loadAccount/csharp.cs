/// Returns the current account, or null if no user is signed in.
public async Task<IAccount?> LoadAccountAsync(string? storedIdentifier)
{
    if (storedIdentifier != null)
    {
        return await application.GetAccountAsync(storedIdentifier);
    }
    var accounts = await application.GetAccountsAsync();
    return accounts.FirstOrDefault();
}
