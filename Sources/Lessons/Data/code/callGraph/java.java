/** GET /me with a fresh token; a claims challenge is met once. Not on the main thread. */
String profile(IAuthenticationResult result, boolean mayBeChallenged) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) new URL("https://graph.microsoft.com/v1.0/me").openConnection();
    connection.setRequestProperty("Authorization", result.getAuthorizationHeader());
    switch (connection.getResponseCode()) {
        case 200:
            return read(connection.getInputStream());
        case 401:
            // The API wants more than the token holds: ask again with just these claims.
            String challenge = claimsInHeader(connection.getHeaderField("WWW-Authenticate"));
            if (challenge != null && mayBeChallenged) {
                askAgain(ClaimsRequest.getClaimsRequestFromJsonString(challenge));
            }
            return null;
        case 429:
        case 503:
            waitFor(connection.getHeaderField("Retry-After"));
            return null;
        default:
            return null; // 403: a permission is missing, and no retry brings it
    }
}
