import Directory
import Documents
import Effects
import OAuth
import OrderedCollections

/// `client_credentials`: issues a token for the app itself (RFC 6749 §4.4), without a refresh token or `scope`.
struct ClientCredentialsGrant: TokenGrant {
  static let names = ["client_credentials"]
  let request: TokenRequest

  func tokenResponse() throws(ErrorResponse) -> JSON {
    guard request.credential != .none else { throw ErrorResponse(7000218) }
    if request.exchange.origin != nil { throw .crossOriginRedemption(request.exchange) }
    guard let tenantID = try tenantID() else {
      throw ErrorResponse(50059, "The request does not identify a tenant; use the tenant's endpoint.")
    }
    let requested = try request.required(request.isVersion1 ? "resource" : "scope")
    let text = request.isVersion1 ? "\(requested)/.default" : requested
    let scopes = try request.scopes(text, tenantID: tenantID)
    guard !scopes.items.isEmpty, scopes.items.allSatisfy(\.isDefault), scopes.resources.count == 1,
      let resource = scopes.resources.first
    else {
      throw ErrorResponse(
        1_002_012,
        "The scope '\(text.prefix(300))' is not valid for client credentials; it must be a single resource followed by '/.default'."
      )
    }
    let roles = request.client.roles.compactMap { role -> String? in
      request.platform.withState { state in
        guard let match = state.locate(role), match.resource.appID == resource.appID else { return nil }
        return match.name
      }
    }
    let token = request.tokenIssuer.appToken(
      client: request.client, resource: resource, tenantID: tenantID, roles: roles,
      credential: request.credential,
      isContinuous: request.claims.handlesChallenges && resource.evaluatesContinuously)
    var members: OrderedDictionary<String, JSON> = ["token_type": "Bearer"]
    func number(_ name: String, _ value: Int64) {
      members[name] = request.isVersion1 ? .string(String(value)) : .integer(value)
    }
    number("expires_in", token.expiresIn)
    number("ext_expires_in", token.expiresIn)
    if token.isContinuous { number("refresh_in", token.expiresIn / 2) }
    if request.isVersion1 {
      number("expires_on", request.exchange.now.secondsSince1970 + token.expiresIn)
      number("not_before", request.exchange.now.secondsSince1970 - 300)
      members["resource"] = .string(resource.uri)
    }
    members["access_token"] = .string(token.text)
    return .object(members)
  }

  private func tenantID() throws(ErrorResponse) -> String? {
    if case .tenant(let id) = request.realm.kind { return id }
    return nil
  }
}
