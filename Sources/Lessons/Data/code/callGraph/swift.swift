/// Calls GET /me, and handles at most one claims challenge.
@MainActor func profile(claims: MSALClaimsRequest? = nil) async throws -> Data {
  guard let result = try await token(claims: claims) else { throw CancellationError() }
  var request = URLRequest(url: URL(string: "https://graph.microsoft.com/v1.0/me")!)
  request.setValue(result.authorizationHeader, forHTTPHeaderField: "Authorization")
  let (body, response) = try await URLSession.shared.data(for: request)
  guard let answer = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
  switch answer.statusCode {
  case 200..<300:
    return body
  case 401 where claims == nil:
    // The API requires additional claims. Request a token with them, and don't use them for other requests.
    guard let challenge = claimsChallenge(answer.value(forHTTPHeaderField: "WWW-Authenticate")) else {
      throw GraphError(status: 401)
    }
    return try await profile(claims: challenge)
  case 429, 503:
    throw ServiceBusy(retryAfter: answer.value(forHTTPHeaderField: "Retry-After"))
  default:
    throw GraphError(status: answer.statusCode)  // 403: a permission is missing, so a retry would fail too
  }
}

/// Returns the claims of a challenge, which are base64-encoded in `claims="…"`.
func claimsChallenge(_ header: String?) -> MSALClaimsRequest? {
  guard let header, let start = header.range(of: "claims=\"") else { return nil }
  let encoded = header[start.upperBound...].prefix { $0 != "\"" }
  guard let data = Data(base64Encoded: String(encoded)) else { return nil }
  var error: NSError?
  return MSALClaimsRequest(jsonString: String(decoding: data, as: UTF8.self), error: &error)
}
