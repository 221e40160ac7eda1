import Directory
import Documents
import Effects
import HTTPTypes
import OAuth

/// APIs of the directory that have answers: the token is checked for its audience, then the answer is given.
struct CustomAPIGateway: Sendable {
  let platform: Platform
  let exchange: EmulatorRequest

  func answer() -> ResponseMessage {
    let url = (exchange.base + exchange.path).lowercased()
    let found = platform.withState { state -> (api: ResourceAPI, body: JSON)? in
      for api in state.resources {
        if let answer = api.answers.first(where: { $0.key.lowercased() == url }) { return (api, answer.value) }
      }
      return nil
    }
    guard let found else {
      return ResponseBuilder.text("Nothing is emulated at this address.", status: .notFound, to: exchange)
    }
    guard let text = AccessTokenCheck.bearer(exchange.request) else { return refuse("a bearer token is needed") }
    switch AccessTokenCheck(platform: platform, now: exchange.now).check(text) {
    case .failure(.revoked(let since, _)): return refuse("the token was revoked", claims: GraphGateway.freshness(since))
    case .failure(.expired): return refuse("the token has expired")
    case .failure: return refuse("the token is not valid")
    case .success(let claims):
      let audience = claims["aud"]?.string?.lowercased() ?? ""
      // A version 1 token contains the resource as the request named it, and any name of this API is right.
      guard platform.withState({ $0.resource(named: audience)?.appID.lowercased() }) == found.api.appId.lowercased()
      else {
        return refuse("the token is for another audience")
      }
      return ResponseBuilder.json(found.body, to: exchange)
    }
  }

  private func refuse(_ reason: String, claims: JSON? = nil) -> ResponseMessage {
    var response = ResponseBuilder.json(
      ["error": "unauthorized", "message": .string(reason)], status: .unauthorized, to: exchange)
    response.head.headerFields[.wwwAuthenticate] =
      claims.map { BearerChallenge.insufficientClaims($0, base: "https://login.microsoftonline.com") }
      ?? "Bearer error=\"invalid_token\", error_description=\"\(reason)\""
    return response
  }
}
