/** Calls GET /me, and handles at most one claims challenge. Must not run on the main thread. */
String profile(IAuthenticationResult result, boolean mayBeChallenged) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) new URL("https://graph.microsoft.com/v1.0/me").openConnection();
    connection.setRequestProperty("Authorization", result.getAuthorizationHeader());
    switch (connection.getResponseCode()) {
        case 200:
            return read(connection.getInputStream());
        case 401:
            // The API requires additional claims. Request a token with them.
            String challenge = claimsInHeader(connection.getHeaderField("WWW-Authenticate"));
            if (challenge != null && mayBeChallenged) {
                acquireToken(ClaimsRequest.getClaimsRequestFromJsonString(challenge));
            }
            return null;
        case 429:
        case 503:
            waitFor(connection.getHeaderField("Retry-After"));
            return null;
        default:
            return null; // 403: a permission is missing, so a retry would fail too
    }
}
