import Documents
import Effects
import HTTPTypes
import OAuth
import RunTrace

/// A request to the userinfo endpoint. The `sub` in the response must match the ID token (OpenID Connect Core §5.3.2).
/// MSAL does not call this endpoint.
struct UserInfoRequest: Sendable {
  let client: EndpointClient
  let metadata: ProviderMetadata

  /// Returns the user's claims.
  /// - Throws: `serverInvalidResponse` if the response is invalid or is for another subject.
  func claims(for subject: String?, accessToken: Secret?) async throws(MSALError) -> JSON {
    guard let endpoint = metadata.userinfoEndpoint else {
      throw MSALError(.serverInvalidResponse, "the provider \(metadata.issuer) does not have a userinfo endpoint")
    }
    guard let accessToken, !accessToken.isEmpty else {
      throw MSALError(.serverInvalidResponse, "the userinfo endpoint requires an access token")
    }
    let headers: HTTPFields = [.accept: "application/json", .authorization: "Bearer \(accessToken.reveal())"]
    let (status, json) = try await client.document(at: endpoint, headers: headers)
    guard status == 200, let json, json.object != nil else {
      throw rejection("the userinfo endpoint returned status \(status) without claims", status)
    }
    guard let actual = json["sub"]?.string, !actual.isEmpty else {
      throw rejection("the userinfo response does not contain `sub`", status)
    }
    guard let subject, actual == subject else {
      throw rejection("`sub` in the userinfo response does not match the ID token", status)
    }
    client.trace.recordDecision("userInfo", "accepted", reason: "`sub` matches the ID token")
    return json
  }

  private func rejection(_ reason: String, _ status: Int) -> MSALError {
    client.trace.recordDecision("userInfo", "rejected", reason: reason)
    var error = MSALError(.serverInvalidResponse, reason)
    error.httpStatus = status
    return error
  }
}
