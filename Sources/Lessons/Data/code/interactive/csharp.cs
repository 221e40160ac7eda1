/// Shows the sign-in page; null where the user closed it.
public async Task<AuthenticationResult?> TokenInteractivelyAsync(IAccount? account = null)
{
    try
    {
        return await application.AcquireTokenInteractive(scopes)
            .WithAccount(account) // whoever is known already types no name
            .ExecuteAsync();
    }
    catch (MsalClientException exception) when (exception.ErrorCode == MsalError.AuthenticationCanceledError)
    {
        return null; // an answer, not a breakdown: the app stays as it was
    }
    catch (MsalServiceException exception) when (exception.ErrorCode == "access_denied")
    {
        return null; // the user, or a rule, declined
    }
}
