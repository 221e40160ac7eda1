/// Returns a token after the user enters a code on another device, or null if the user declines or the code expires.
public async Task<AuthenticationResult?> TokenByDeviceCodeAsync(CancellationToken cancellation)
{
    try
    {
        return await application.AcquireTokenWithDeviceCode(scopes, code =>
        {
            Console.WriteLine(code.Message); // contains the URL and the code
            return Task.CompletedTask;
        }).ExecuteAsync(cancellation);
    }
    catch (MsalServiceException exception) when (exception.ErrorCode == "authorization_declined")
    {
        return null;
    }
    catch (MsalClientException exception) when (exception.ErrorCode == MsalError.CodeExpired)
    {
        return null;
    }
}
