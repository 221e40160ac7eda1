import Directory
import IdentityPlatform
import OAuth

/// The scopes of a request and the resources that define them.
struct ScopeRequest: Sendable {
  /// A permission of a resource.
  struct Item: Hashable, Sendable {
    var resource: Resource
    /// The permission name as spelled in the declaration, or `.default`.
    var name: String
    /// The scope as the client sent it. Responses repeat this spelling.
    var requestedName: String

    var isDefault: Bool { name == ".default" }
  }

  /// The requested OpenID Connect scopes: `openid`, `profile`, `email`, `offline_access`.
  var openID: Set<String>
  var items: [Item]

  /// The resources, in the order of their first scope.
  var resources: [Resource] {
    var seen: Set<String> = []
    return items.map(\.resource).filter { seen.insert($0.appID).inserted }
  }

  /// Whether the request contains this OpenID Connect scope.
  func includes(_ name: String) -> Bool { openID.contains(name) }

  /// Returns a copy that contains only this resource's scopes.
  func limited(to resource: Resource) -> ScopeRequest {
    ScopeRequest(openID: openID, items: items.filter { $0.resource.appID == resource.appID })
  }
}

extension Platform {
  /// Resolves the scopes of a request. Registers unknown resources on the fly if allowed.
  func scopes(_ text: String, client: RegisteredApp, tenantID: String?) throws(ErrorResponse) -> ScopeRequest {
    guard text.utf8.count <= 8192,
      text.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 34 && $0.value != 92 })
    else { throw ErrorResponse(28002) }
    var openID: Set<String> = []
    var items: [ScopeRequest.Item] = []
    for scope in ScopeSet(parsing: text).scopes {
      if WellKnown.openIDScopes.contains(scope.lowercased()) {
        openID.insert(scope.lowercased())
        continue
      }
      items.append(try locate(scope, client: client, tenantID: tenantID))
    }
    for resource in Set(items.map(\.resource.appID)) {
      let own = items.filter { $0.resource.appID == resource }
      if own.contains(where: \.isDefault), own.contains(where: { !$0.isDefault }) {
        throw ErrorResponse(
          70011,
          "'.default' cannot be combined with other scopes of the same resource: \(own.map(\.requestedName).joined(separator: " "))."
        )
      }
    }
    return ScopeRequest(openID: openID, items: items)
  }

  /// Resolves scopes for endpoints that return JSON. These endpoints reject an unknown scope with AADSTS70011 instead
  /// of AADSTS650053.
  func scopesForTokens(_ text: String, client: RegisteredApp, tenantID: String?) throws(ErrorResponse) -> ScopeRequest {
    do {
      return try scopes(text, client: client, tenantID: tenantID)
    } catch {
      throw error.code == 650_053 ? ErrorResponse(70011, error.message) : error
    }
  }

  private func locate(_ scope: String, client: RegisteredApp, tenantID: String?) throws(ErrorResponse)
    -> ScopeRequest.Item
  {
    // An app can request a token for itself by using its client ID as the scope.
    if scope.lowercased() == client.appId.lowercased() {
      return ScopeRequest.Item(resource: own(client), name: ".default", requestedName: scope)
    }
    let name = ScopeName(scope)
    if let resource = name.resource, resource.lowercased() == client.appId.lowercased() {
      return ScopeRequest.Item(resource: own(client), name: name.name, requestedName: scope)
    }
    // An app cannot use its identifier URI to request a token for itself.
    if let resource = name.resource, resource.lowercased() == "api://\(client.appId.lowercased())" {
      throw requestsItself(client)
    }
    let (match, isNew) = withState { state -> ((resource: Resource, name: String)?, Bool) in
      if let match = state.locate(scope) { return (match, false) }
      guard let uri = name.resource, state.automaticRegistration.resource(uri) else { return (nil, false) }
      state.addResource(uri: uri)
      return (state.locate(scope), true)
    }
    if isNew { notice("API `\(name.resource ?? "")` is not in the directory and was registered on the fly") }
    guard let match else {
      throw ErrorResponse(
        500011,
        "The resource '\(name.resource ?? scope)' was not found in the tenant '\(displayedTenantID(tenantID))'.")
    }
    if match.resource.appID.lowercased() == client.appId.lowercased(), match.name.lowercased() == ".default" {
      throw requestsItself(client)
    }
    if let allowed = match.resource.preauthorizedOnly,
      !allowed.contains(where: { $0.lowercased() == client.appId.lowercased() })
    {
      throw ErrorResponse(
        65002,
        "The resource '\(match.resource.appID)' must preauthorize the application '\(client.appId)', because users cannot consent to this access."
      )
    }
    if match.name.lowercased() == ".default" {
      return ScopeRequest.Item(resource: match.resource, name: ".default", requestedName: scope)
    }
    if let declared = match.resource.scope(named: match.name) {
      return ScopeRequest.Item(resource: match.resource, name: declared.name, requestedName: scope)
    }
    let isAdded = withState { state -> Bool in
      state.automaticRegistration.apps && state.addScope(match.name, to: match.resource)
    }
    guard isAdded else {
      if match.resource.isGraph { advise(UnknownPermission(match.name)) }
      throw ErrorResponse(
        650053,
        "The app requested the scope '\(match.name)', which does not exist on the resource '\(match.resource.name)'.")
    }
    notice("scope `\(scope)` is not in the directory and was registered on the fly")
    return ScopeRequest.Item(resource: match.resource, name: match.name, requestedName: scope)
  }

  /// Checks that the app registration lists the resources of the request, as the v1.0 endpoint requires.
  func requireListedResources(_ scopes: ScopeRequest, client: RegisteredApp) throws(ErrorResponse) {
    guard !client.permissions.isEmpty else { return }
    let listed = withState { state in Set(client.permissions.compactMap { state.locate($0)?.resource.appID }) }
    guard scopes.resources.allSatisfy({ listed.contains($0.appID) || $0.appID == client.appId }) else {
      let unlisted = scopes.resources.first { !listed.contains($0.appID) && $0.appID != client.appId }
      throw ErrorResponse(
        650_057,
        "The requested resource is not listed in the permissions of the app registration. Client app ID: \(client.appId)(\(client.displayName)). Requested resource: \(unlisted?.uri ?? ""). Resource app ID: \(unlisted?.appID ?? ""). Registered resources: \(listed.sorted().joined(separator: ", "))."
      )
    }
  }

  /// Checks that every scope belongs to the `resource` parameter (RFC 8707), which the v2.0 endpoint has accepted since
  /// March 2026.
  func requireMatchingResource(of resource: String?, with scopes: ScopeRequest) throws(ErrorResponse) {
    guard let resource, !resource.isEmpty else { return }
    let appID = withState { $0.resource(named: resource)?.appID.lowercased() } ?? resource.lowercased()
    let requested = scopes.resources.map { $0.appID.lowercased() }
    // A request with only OpenID Connect scopes is for Microsoft Graph.
    guard (requested.isEmpty ? [WellKnown.graphAppID] : requested).allSatisfy({ $0 == appID }) else {
      throw ErrorResponse(
        9_010_010,
        "The resource parameter '\(resource.prefix(300))' does not match the requested scopes '\(scopes.items.map(\.requestedName).joined(separator: " ").prefix(300))'."
      )
    }
  }

  private func requestsItself(_ client: RegisteredApp) -> ErrorResponse {
    ErrorResponse(
      90009, "The application '\(client.appId)' is requesting a token for itself, which requires its GUID as the scope."
    )
  }

  /// Returns the access token version of the client's own API. If there is none, returns the default for the app's
  /// audience.
  private func ownTokenVersion(_ client: RegisteredApp) -> Int {
    withState { $0.resource(named: client.appId)?.tokenVersion } ?? PlatformState.tokenVersion(of: client)
  }

  private func own(_ client: RegisteredApp) -> Resource {
    Resource(
      appID: client.appId, uri: client.appId, name: client.name ?? client.appId, scopes: [], roles: [],
      tokenVersion: ownTokenVersion(client), evaluatesContinuously: false)
  }
}

extension PlatformState {
  /// Registers an API on the fly.
  mutating func addResource(uri: String) {
    var api = ResourceAPI()
    api.uris = [uri]
    api.appId = GUIDText.isWellFormed(uri) ? uri.lowercased() : DerivedID.uuid(of: "resource", uri)
    resources.append(api)
  }

  /// Adds a scope to an API that was registered on the fly or has no scopes in the directory. All permissions of
  /// Microsoft Graph and other APIs are known, so this function does not add scopes to those APIs.
  /// - Returns: Whether the scope was added.
  mutating func addScope(_ name: String, to resource: Resource) -> Bool {
    guard !name.isEmpty, name.utf8.count <= 120, !resource.isGraph,
      let index = resources.firstIndex(where: { $0.appId == resource.appID })
    else { return false }
    let isListed = directoryResources.contains { $0.appId == resource.appID && !$0.scopes.isEmpty }
    guard !isListed else { return false }
    resources[index].scopes.append(.init(name))
    return true
  }
}
