/// A token without showing anything; null where only the user can go on.
public async Task<AuthenticationResult?> TokenSilentlyAsync(IAccount? account)
{
    try
    {
        return await application.AcquireTokenSilent(scopes, account).ExecuteAsync();
    }
    catch (MsalUiRequiredException)
    {
        return null; // show the sign-in page, once
    }
    catch (MsalServiceException exception) when (exception.StatusCode == 429 || exception.StatusCode >= 500)
    {
        Report(exception); // the service is busy or down: no page would help
        throw;
    }
}
