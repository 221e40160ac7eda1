/// The account that this app works for; null where nobody is signed in.
public async Task<IAccount?> LoadAccountAsync(string? rememberedIdentifier)
{
    if (rememberedIdentifier != null)
    {
        return await application.GetAccountAsync(rememberedIdentifier);
    }
    var accounts = await application.GetAccountsAsync();
    return accounts.FirstOrDefault();
}
