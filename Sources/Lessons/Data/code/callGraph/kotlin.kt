/** Calls GET /me, and handles at most one claims challenge. Must not run on the main thread. */
fun profile(result: IAuthenticationResult, mayBeChallenged: Boolean = true): String? {
    val connection = URL("https://graph.microsoft.com/v1.0/me").openConnection() as HttpURLConnection
    connection.setRequestProperty("Authorization", result.authorizationHeader)
    return when (connection.responseCode) {
        200 -> connection.inputStream.bufferedReader().use { it.readText() }
        401 -> {
            // The API requires additional claims. Request a token with them.
            val challenge = claimsInHeader(connection.getHeaderField("WWW-Authenticate"))
            if (challenge != null && mayBeChallenged) {
                acquireToken(ClaimsRequest.getClaimsRequestFromJsonString(challenge))
            }
            null
        }
        429, 503 -> null.also { waitFor(connection.getHeaderField("Retry-After")) }
        else -> null // 403: a permission is missing, so a retry would fail too
    }
}
