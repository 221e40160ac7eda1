/// Returns a token without showing any UI, or null if interaction is required.
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
        Report(exception); // the service is unavailable: the sign-in page would not help
        throw;
    }
}
