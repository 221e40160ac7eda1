import Directory
import Documents
import Effects
import HTTPTypes
import OAuth

/// The gateway for APIs whose responses the directory defines. It validates the access token before it responds.
struct CustomAPIGateway: Sendable {
  let platform: Platform
  let exchange: EmulatorRequest

  func response() -> ResponseMessage {
    let url = (exchange.base + exchange.path).lowercased()
    let match = platform.withState { state -> (api: ResourceAPI, body: JSON)? in
      for api in state.resources {
        if let answer = api.answers.first(where: { $0.key.lowercased() == url }) { return (api, answer.value) }
      }
      return nil
    }
    guard let match else {
      return ResponseBuilder.text("The emulator does not serve this URL.", status: .notFound, to: exchange)
    }
    guard let text = AccessTokenCheck.bearer(exchange.request) else { return reject("a bearer token is required") }
    switch AccessTokenCheck(platform: platform, now: exchange.now).check(text) {
    case .failure(.revoked(let since, _)):
      return reject("the token was revoked", claims: GraphGateway.issuedAfter(since))
    case .failure(.expired): return reject("the token has expired")
    case .failure: return reject("the token is not valid")
    case .success(let claims):
      let audience = claims["aud"]?.string?.lowercased() ?? ""
      // The audience of a version 1 token is the resource as spelled in the request, so accept any identifier of this
      // API.
      guard platform.withState({ $0.resource(named: audience)?.appID.lowercased() }) == match.api.appId.lowercased()
      else {
        return reject("the token has a different audience")
      }
      if let problem = Self.problem(of: claims, at: match.api) { return reject(problem) }
      return ResponseBuilder.json(match.body, to: exchange)
    }
  }

  /// Returns the reason that the API's configuration rejects the claims, or nil. The codes match those that ASP.NET
  /// Core logs.
  private static func problem(of claims: JSON, at api: ResourceAPI) -> String? {
    let audience = claims["aud"]?.string ?? ""
    if let valid = api.validAudiences, !valid.contains(audience) {
      return "IDX10214: the audience '\(audience)' is not valid; the API accepts '\(valid.joined(separator: ", "))'"
    }
    let issuer = claims["iss"]?.string ?? ""
    let tenantID = claims["tid"]?.string ?? ""
    if let valid = api.validIssuers, !valid.contains(where: { $0.replacing("{tenantid}", with: tenantID) == issuer }) {
      return "IDX10205: the issuer '\(issuer)' is not valid; the API accepts '\(valid.joined(separator: ", "))'"
    }
    return nil
  }

  private func reject(_ reason: String, claims: JSON? = nil) -> ResponseMessage {
    var response = ResponseBuilder.json(
      ["error": "unauthorized", "message": .string(reason)], status: .unauthorized, to: exchange)
    response.head.headerFields[.wwwAuthenticate] =
      claims.map { BearerChallenge.insufficientClaims($0, base: "https://login.microsoftonline.com") }
      ?? "Bearer error=\"invalid_token\", error_description=\"\(reason)\""
    return response
  }
}
