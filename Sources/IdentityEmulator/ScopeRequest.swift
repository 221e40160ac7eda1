import Directory
import IdentityPlatform
import OAuth

/// The scopes of one request, each found on its resource.
struct ScopeRequest: Sendable {
  struct Item: Hashable, Sendable {
    var resource: Resource
    /// The permission in its declared spelling, or `.default`.
    var name: String
    /// As the client wrote it; answers repeat it so.
    var typed: String

    var isDefault: Bool { name == ".default" }
  }

  /// `openid`, `profile`, `email`, `offline_access`: those that were asked for.
  var openID: Set<String>
  var items: [Item]

  /// The resources in the order of their first scope.
  var resources: [Resource] {
    var seen: Set<String> = []
    return items.map(\.resource).filter { seen.insert($0.appID).inserted }
  }

  func wants(_ name: String) -> Bool { openID.contains(name) }

  /// The same request for one resource only.
  func limited(to resource: Resource) -> ScopeRequest {
    ScopeRequest(openID: openID, items: items.filter { $0.resource.appID == resource.appID })
  }
}

extension Platform {
  /// Finds each scope of a request on its resource; unknown resources are registered on the fly where allowed.
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
          "'.default' cannot be combined with named scopes of the same resource: \(own.map(\.typed).joined(separator: " "))."
        )
      }
    }
    return ScopeRequest(openID: openID, items: items)
  }

  /// The same for requests that come without a browser: there an unknown scope is the scope's mistake, not the client's.
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
    // An app may ask for a token to itself by its bare id.
    if scope.lowercased() == client.appId.lowercased() {
      return ScopeRequest.Item(resource: own(client), name: ".default", typed: scope)
    }
    let parted = ScopeName(scope)
    if let resource = parted.resource, resource.lowercased() == client.appId.lowercased() {
      return ScopeRequest.Item(resource: own(client), name: parted.name, typed: scope)
    }
    // By its identifier URI an app cannot ask for a token to itself.
    if let resource = parted.resource, resource.lowercased() == "api://\(client.appId.lowercased())" {
      throw ofItself(client)
    }
    let (found, isNew) = withState { state -> ((resource: Resource, name: String)?, Bool) in
      if let known = state.locate(scope) { return (known, false) }
      guard let uri = parted.resource, state.makesUp.resource(uri) else { return (nil, false) }
      state.addResource(uri: uri)
      return (state.locate(scope), true)
    }
    if isNew { notice("the API \(parted.resource ?? "") is not in the directory and was registered on the fly") }
    guard let found else {
      throw ErrorResponse(
        500011, "The resource '\(parted.resource ?? scope)' was not found in the tenant '\(shownTenant(tenantID))'.")
    }
    if found.resource.appID.lowercased() == client.appId.lowercased(), found.name.lowercased() == ".default" {
      throw ofItself(client)
    }
    if let allowed = found.resource.preauthorizedOnly,
      !allowed.contains(where: { $0.lowercased() == client.appId.lowercased() })
    {
      throw ErrorResponse(
        65002,
        "The owner of the resource '\(found.resource.appID)' has to pre-authorize the application '\(client.appId)', because users cannot consent to it."
      )
    }
    if found.name.lowercased() == ".default" {
      return ScopeRequest.Item(resource: found.resource, name: ".default", typed: scope)
    }
    if let declared = found.resource.scope(named: found.name) {
      return ScopeRequest.Item(resource: found.resource, name: declared.name, typed: scope)
    }
    let made = withState { state -> Bool in
      state.makesUp.apps && state.addScope(found.name, to: found.resource)
    }
    guard made else {
      if found.resource.isGraph { advise(UnknownPermission(found.name)) }
      throw ErrorResponse(
        650053,
        "The app asked for the scope '\(found.name)' that does not exist on the resource '\(found.resource.name)'.")
    }
    notice("the scope \(scope) is not in the directory and was registered on the fly")
    return ScopeRequest.Item(resource: found.resource, name: found.name, typed: scope)
  }

  /// The older endpoint serves only resources that the app's registration lists.
  func demandListed(_ scopes: ScopeRequest, client: RegisteredApp) throws(ErrorResponse) {
    guard !client.permissions.isEmpty else { return }
    let listed = withState { state in Set(client.permissions.compactMap { state.locate($0)?.resource.appID }) }
    guard scopes.resources.allSatisfy({ listed.contains($0.appID) || $0.appID == client.appId }) else {
      let asked = scopes.resources.first { !listed.contains($0.appID) && $0.appID != client.appId }
      throw ErrorResponse(
        650_057,
        "The resource of the request is not listed in the permissions of the application's registration. Client app ID: \(client.appId)(\(client.shownName)). Resource value from request: \(asked?.uri ?? ""). Resource app ID: \(asked?.appID ?? ""). List of valid resources from app registration: \(listed.sorted().joined(separator: ", "))."
      )
    }
  }

  /// Since March 2026, version 2 accepts `resource` (RFC 8707) if every scope belongs to that resource.
  func demandAgreement(of resource: String?, with scopes: ScopeRequest) throws(ErrorResponse) {
    guard let resource, !resource.isEmpty else { return }
    let named = withState { $0.resource(named: resource)?.appID.lowercased() } ?? resource.lowercased()
    let asked = scopes.resources.map { $0.appID.lowercased() }
    // Scopes of OpenID Connect alone are for Graph.
    guard (asked.isEmpty ? [WellKnown.graphAppID] : asked).allSatisfy({ $0 == named }) else {
      throw ErrorResponse(
        9_010_010,
        "The resource parameter '\(resource.prefix(300))' does not match the requested scopes '\(scopes.items.map(\.typed).joined(separator: " ").prefix(300))'."
      )
    }
  }

  private func ofItself(_ client: RegisteredApp) -> ErrorResponse {
    ErrorResponse(
      90009, "Application '\(client.appId)' is requesting a token for itself. That is possible only by its GUID.")
  }

  /// The version that the client's own API sets, or the one that its audience implies.
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
  mutating func addResource(uri: String) {
    var api = ResourceAPI()
    api.uris = [uri]
    api.appId = GUIDText.isWellFormed(uri) ? uri.lowercased() : DerivedID.uuid(of: "resource", uri)
    resources.append(api)
  }

  /// Adds a scope to an API that was registered automatically. The permissions of Microsoft Graph are published, and those of
  /// an API that the directory declares are listed there, so an unknown name is a mistake and is never registered.
  /// - Returns: false if the name is not valid, or the API has a list of its own.
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
