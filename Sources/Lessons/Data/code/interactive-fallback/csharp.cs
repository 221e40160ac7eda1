/// Returns a token silently if possible, and shows the sign-in page only if interaction is required.
public async Task<AuthenticationResult?> TokenAsync()
{
    var account = await LoadAccountAsync(storedIdentifier);
    if (account != null)
    {
        var result = await TokenSilentlyAsync(account);
        if (result != null)
        {
            return result;
        }
    }
    return await TokenInteractivelyAsync(account); // only after MsalUiRequiredException
}
