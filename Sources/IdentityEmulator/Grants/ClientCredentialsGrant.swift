import Directory
import Documents
import Effects
import OAuth
import OrderedCollections

/// `client_credentials`: an app for itself. The answer has neither scope nor refresh token.
struct ClientCredentialsGrant: TokenGrant {
  static let names = ["client_credentials"]
  let request: TokenRequest

  func answer() throws(ErrorResponse) -> JSON {
    guard request.credential != .none else { throw ErrorResponse(7000218) }
    if request.exchange.origin != nil { throw .foreignOrigin(request.exchange) }
    guard let tenantID = try tenantID() else {
      throw ErrorResponse(50059, "No tenant can be told from the request; use the tenant's own endpoint.")
    }
    let named = try request.required(request.isVersion1 ? "resource" : "scope")
    let text = request.isVersion1 ? "\(named)/.default" : named
    let scopes = try request.scopes(text, tenantID: tenantID)
    guard !scopes.items.isEmpty, scopes.items.allSatisfy(\.isDefault), scopes.resources.count == 1,
      let resource = scopes.resources.first
    else {
      throw ErrorResponse(
        1_002_012,
        "The scope '\(text.prefix(300))' is not valid for client credentials: it must be one resource with '/.default'."
      )
    }
    let roles = request.client.roles.compactMap { role -> String? in
      request.platform.withState { state in
        guard let found = state.locate(role), found.resource.appID == resource.appID else { return nil }
        return found.name
      }
    }
    let token = request.mint.appToken(
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
