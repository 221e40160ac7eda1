import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import RunTrace

/// A client that sends token requests and parses their responses.
struct TokenEndpoint: Sendable {
  let client: EndpointClient
  let configuration: PublicClientConfiguration

  /// A token request (RFC 6749 §3.2).
  struct Request: Sendable {
    var url: String
    var form: Parameters
    var headers: HTTPFields

    /// - Parameter query: Parameters for the URL's query. MSAL sends the slice and extra parameters there.
    init(endpoint: String, query: Parameters, form: Parameters, headers: HTTPFields) {
      var url = URLReference(endpoint)
      var parameters = url.parameters
      parameters.appendMissing(query)
      if !parameters.isEmpty { url.query = FormCoding.serializeQuery(parameters) }
      self.url = url.text
      self.form = form
      self.headers = headers
    }

    var sent: SentRequest { SentRequest(url: url, form: form, headers: headers) }
  }

  /// Sends a request and parses the response.
  /// - Throws: The OAuth error in the response, or an error if the response is invalid.
  func redeem(_ request: Request) async throws(MSALError) -> TokenResponse {
    do {
      var response = try await client.send(try message(request))
      if configuration.authority.kind != .oidc, let authorization = PKeyAuth.authorization(for: response) {
        client.trace.recordDecision(
          "device", "not registered",
          reason: "the service requires device authentication, which authflow does not support"
        )
        var second = request
        second.headers[.authorization] = authorization
        response = try await client.send(try message(second))
      }
      return try parse(response)
    } catch {
      var error = error.withContext(request.sent, correlationID: request.headers[.clientRequestID] ?? "")
      error.isServerUnavailable = error.isHTTPError && (error.httpStatus ?? 0) >= 500
      throw error
    }
  }

  /// Returns the POST request.
  func message(_ request: Request) throws(MSALError) -> RequestMessage {
    var headers = request.headers
    headers[.contentType] = FormCoding.mediaType
    let body = Array(FormCoding.serialize(request.form).utf8)
    guard let message = RequestMessage(method: .post, url: request.url, headers: headers, body: body) else {
      throw MSALError(.serverInvalidResponse, "\(request.url) is not a valid URL")
    }
    return message
  }

  private func parse(_ response: ResponseMessage) throws(MSALError) -> TokenResponse {
    let status = response.head.status.code
    guard [200, 400, 401].contains(status) else { throw EndpointClient.unhandled(response) }
    guard let json = try? JSON(parsing: response.body), json.object != nil else {
      var error = MSALError(
        .serverInvalidResponse, "the token endpoint returned status \(status) without a JSON object")
      error.httpStatus = status
      throw error
    }
    if let oauth = OAuthError(json) {
      var error = ErrorMapping.error(oauth, at: .tokenEndpoint)
      error.httpStatus = status
      error.suberrorDescription = json["suberror_description"]?.string
      if error.code == .serverProtectionPoliciesRequired {
        error.displayableUserID = json["adi"]?.string
        error.homeAccountID =
          json["client_info"]?.string.flatMap { try? ClientInfo(encoded: $0) }?.homeAccountID
      }
      throw error
    }
    do {
      let tokens = try TokenResponse(json, receivedAt: client.clock.now)
      try check(tokens)
      return tokens
    } catch let error as MSALError {
      var error = error
      error.httpStatus = status
      throw error
    } catch let error as ClientInfoFailure {
      throw MSALError(.internal, "invalid `client_info` in the token response: \(error.reason)")
    } catch {
      throw MSALError(.internal, "\(error)")
    }
  }

  private func check(_ tokens: TokenResponse) throws(MSALError) {
    guard tokens.accessToken != nil || tokens.idToken != nil else {
      throw MSALError(.internal, "the token response contains neither an access token nor an ID token")
    }
    // RFC 6749 §7.1: a client must not use an access token whose type it does not support.
    if let type = tokens.tokenType, type.lowercased() != "bearer" {
      throw MSALError(.serverInvalidResponse, "the token type is `\(type)` instead of `Bearer`")
    }
    if configuration.authority.kind == .aad, tokens.clientInfo == nil {
      throw MSALError(.internal, "the token response does not contain `client_info`, which identifies the account")
    }
  }
}

extension HTTPField.Name {
  static var clientRequestID: HTTPField.Name { HTTPField.Name("client-request-id") ?? .accept }
}
