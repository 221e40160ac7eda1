import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import RunTrace

/// A token request and the judgement of its answer.
struct TokenEndpoint: Sendable {
  let client: EndpointClient
  let configuration: PublicClientConfiguration

  /// What is to be sent where.
  struct Request: Sendable {
    var url: String
    var form: Parameters
    var headers: HTTPFields

    /// - Parameter query: goes to the URL's query, where MSAL puts slices and extra parameters.
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

  /// Sends, and reads the answer as a token response or as the server's refusal.
  func redeem(_ request: Request) async throws(MSALError) -> TokenResponse {
    do {
      var response = try await client.send(try message(request))
      if configuration.authority.kind != .oidc, let answer = PKeyAuth.answer(to: response) {
        client.trace.recordDecision(
          "device", "not registered", reason: "the server asks for the device's registration, and there is none to show"
        )
        var again = request
        again.headers[.authorization] = answer
        response = try await client.send(try message(again))
      }
      return try read(response)
    } catch {
      var error = error.attempted(request.sent, correlationID: request.headers[.clientRequestID] ?? "")
      error.isServerUnavailable = error.isHTTPError && (error.httpStatus ?? 0) >= 500
      throw error
    }
  }

  /// The POST as it goes over the wire.
  func message(_ request: Request) throws(MSALError) -> RequestMessage {
    var headers = request.headers
    headers[.contentType] = FormCoding.mediaType
    let body = Array(FormCoding.serialize(request.form).utf8)
    guard let message = RequestMessage(method: .post, url: request.url, headers: headers, body: body) else {
      throw MSALError(.serverInvalidResponse, "\(request.url) is no address that can be asked")
    }
    return message
  }

  private func read(_ response: ResponseMessage) throws(MSALError) -> TokenResponse {
    let status = response.head.status.code
    guard [200, 400, 401].contains(status) else { throw EndpointClient.unhandled(response) }
    guard let json = try? JSON(parsing: response.body), json.object != nil else {
      var error = MSALError(.serverInvalidResponse, "the token endpoint answered \(status) and no JSON object")
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
      throw MSALError(.internal, "the answer's client_info cannot be read: \(error.reason)")
    } catch {
      throw MSALError(.internal, "\(error)")
    }
  }

  private func check(_ tokens: TokenResponse) throws(MSALError) {
    guard tokens.accessToken != nil || tokens.idToken != nil else {
      throw MSALError(.internal, "the answer has neither an access token nor an ID token")
    }
    if let type = tokens.tokenType, type.lowercased() != "bearer" {
      throw MSALError(.serverInvalidResponse, "a Bearer token was asked for, and the server gave one of type \(type)")
    }
    if configuration.authority.kind == .aad, tokens.clientInfo == nil {
      throw MSALError(.internal, "the answer has no client_info, without which the account is not known")
    }
  }
}

extension HTTPField.Name {
  static var clientRequestID: HTTPField.Name { HTTPField.Name("client-request-id") ?? .accept }
}
