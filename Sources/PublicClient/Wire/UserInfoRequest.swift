import Documents
import Effects
import HTTPTypes
import OAuth
import RunTrace

/// Asks the userinfo endpoint and believes it only where it speaks of the ID token's subject (OpenID Connect Core §5.3.4).
/// MSAL asks no such thing.
struct UserInfoRequest: Sendable {
  let client: EndpointClient
  let metadata: ProviderMetadata

  /// - Throws: `serverInvalidResponse` for every answer that is not the subject's claims.
  func claims(for subject: String?, accessToken: Secret?) async throws(MSALError) -> JSON {
    guard let endpoint = metadata.userinfoEndpoint else {
      throw MSALError(.serverInvalidResponse, "the provider \(metadata.issuer) has no userinfo endpoint")
    }
    guard let accessToken, !accessToken.isEmpty else {
      throw MSALError(.serverInvalidResponse, "there is no access token to ask the userinfo endpoint with")
    }
    let headers: HTTPFields = [.accept: "application/json", .authorization: "Bearer \(accessToken.reveal())"]
    let (status, json) = try await client.document(at: endpoint, headers: headers)
    guard status == 200, let json, json.object != nil else {
      throw refused("the userinfo endpoint answered \(status) and no claims", status)
    }
    guard let found = json["sub"]?.string, !found.isEmpty else {
      throw refused("the userinfo endpoint's answer has no “sub”", status)
    }
    guard let subject, found == subject else {
      throw refused("the userinfo endpoint speaks of another subject than the ID token", status)
    }
    client.trace.recordDecision("userInfo", "accepted", reason: "it speaks of the subject of the ID token")
    return json
  }

  private func refused(_ reason: String, _ status: Int) -> MSALError {
    client.trace.recordDecision("userInfo", "refused", reason: reason)
    var error = MSALError(.serverInvalidResponse, reason)
    error.httpStatus = status
    return error
  }
}
