/// The whole pattern: who is here, silently, and the page only where that was not enough.
public async Task<AuthenticationResult?> TokenAsync()
{
    var account = await LoadAccountAsync(rememberedIdentifier);
    if (account != null)
    {
        var result = await TokenSilentlyAsync(account);
        if (result != null)
        {
            return result;
        }
    }
    return await TokenInteractivelyAsync(account); // after MsalUiRequiredException, and nothing else
}
