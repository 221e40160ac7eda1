/// Calls GET /me, and handles at most one claims challenge.
public async Task<string> ProfileAsync(IAccount account, string? claims = null)
{
    AuthenticationResult result;
    try
    {
        result = await application.AcquireTokenSilent(scopes, account).WithClaims(claims).ExecuteAsync();
    }
    catch (MsalUiRequiredException)
    {
        result = await application.AcquireTokenInteractive(scopes).WithAccount(account).WithClaims(claims)
            .ExecuteAsync();
    }
    using var request = new HttpRequestMessage(HttpMethod.Get, "https://graph.microsoft.com/v1.0/me");
    request.Headers.Add("Authorization", result.CreateAuthorizationHeader());
    using var answer = await http.SendAsync(request);
    if (answer.StatusCode == HttpStatusCode.Unauthorized && claims == null)
    {
        // The API requires additional claims. Request a token with them.
        var challenge = WwwAuthenticateParameters.GetClaimChallengeFromResponseHeaders(answer.Headers);
        if (!string.IsNullOrEmpty(challenge))
        {
            return await ProfileAsync(account, challenge);
        }
    }
    // 403: a permission is missing, so a retry would fail too. 429, 503: wait as long as Retry-After specifies.
    answer.EnsureSuccessStatusCode();
    return await answer.Content.ReadAsStringAsync();
}
