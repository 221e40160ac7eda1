/// Returns all accounts that this app can use.
public async Task<IReadOnlyList<IAccount>> ListAccountsAsync()
{
    var accounts = await application.GetAccountsAsync();
    return accounts.ToList();
}
