/// A token by way of a code that the user types on another device; null where they declined or took too long.
public async Task<AuthenticationResult?> TokenByDeviceCodeAsync(CancellationToken cancellation)
{
    try
    {
        return await application.AcquireTokenWithDeviceCode(scopes, code =>
        {
            Console.WriteLine(code.Message); // holds the address and the code
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
