/// Shows the sign-in page. Returns null if the user closes it.
public async Task<AuthenticationResult?> TokenInteractivelyAsync(IAccount? account = null)
{
    try
    {
        return await application.AcquireTokenInteractive(scopes)
            .WithAccount(account) // the page skips the username prompt
            .ExecuteAsync();
    }
    catch (MsalClientException exception) when (exception.ErrorCode == MsalError.AuthenticationCanceledError)
    {
        return null; // not an error: leave the app's state unchanged
    }
    catch (MsalServiceException exception) when (exception.ErrorCode == "access_denied")
    {
        return null; // the user or a policy declined
    }
}
