import Directory
import GraphEmulator
import IdentityPlatform

/// An API that tokens are for, Microsoft Graph among them.
struct Resource: Hashable, Sendable {
  var appID: String
  /// What a long scope begins with, and the audience of version 1 tokens.
  var uri: String
  var name: String
  var scopes: [ResourceAPI.Scope]
  var roles: [String]
  var tokenVersion: Int
  var evaluatesContinuously: Bool
  /// The only clients that get tokens for it; nil: everybody.
  var preauthorizedOnly: [String]?

  static let graphName = "Microsoft Graph"

  var isGraph: Bool { appID == WellKnown.graphAppID }

  /// The scope in its declared spelling; nil where the resource has none of that name.
  func scope(named name: String) -> ResourceAPI.Scope? {
    if isGraph, let permission = GraphPermission.published(name) {
      return ResourceAPI.Scope(permission.name, adminOnly: permission.needsAdmin)
    }
    return scopes.first { $0.name.lowercased() == name.lowercased() }
  }

  /// Microsoft Graph. Its published permissions are looked up in their list.
  /// - Parameter declared: permissions that the directory adds, for those that Microsoft publishes later.
  static func graph(
    uri: String = "https://graph.microsoft.com", declared: [ResourceAPI.Scope] = []
  ) -> Resource {
    Resource(
      appID: WellKnown.graphAppID, uri: uri, name: graphName, scopes: graphScopes + declared, roles: [],
      tokenVersion: 1, evaluatesContinuously: true)
  }

  private static let graphScopes = GraphPermission.all.map { ResourceAPI.Scope($0.name, adminOnly: $0.needsAdmin) }
}

extension PlatformState {
  /// The resource that a name before a scope's last slash means: an identifier URI, with or without its closing slash
  /// as written, or an application id.
  func resource(named name: String) -> Resource? {
    let wanted = name.lowercased()
    if wanted == WellKnown.graphAppID { return graphResource() }
    if let url = URLParts(name), let host = url.host, let cloud = Cloud.withGraph(host: host) {
      return graphResource(uri: "https://\(cloud.graphHost ?? host)")
    }
    // The audience of a version 1 token is the resource as the request names it, with or without the closing slash.
    for api in resources {
      let isNamed =
        api.appId.lowercased() == wanted || "api://\(api.appId.lowercased())" == wanted
        || api.uris.contains { $0.lowercased().trimmingLastSlash == wanted.trimmingLastSlash }
      if isNamed { return Resource(api, uri: name, tokenVersion: tokenVersion(of: api)) }
    }
    return FirstPartyAPI.named(name).map { Resource($0, uri: name) }
  }

  /// The version of access tokens for an API that does not set one: `requestedAccessTokenVersion: null` means 1, except
  /// for registrations that allow personal accounts, which Entra accepts with version 2 only.
  private func tokenVersion(of api: ResourceAPI) -> Int {
    if let version = api.tokenVersion { return version }
    return app(api.appId).map { Self.tokenVersion(of: $0) } ?? 1
  }

  static func tokenVersion(of app: RegisteredApp) -> Int {
    switch app.effectiveAudience {
    case .myOrg, .multipleOrgs: 1
    case .orgsAndPersonal, .personal: 2
    }
  }

  /// Microsoft Graph with the permissions that an entry of `resources` with Graph's application id adds.
  private func graphResource(uri: String = "https://graph.microsoft.com") -> Resource {
    .graph(uri: uri, declared: resources.first { $0.appId.lowercased() == WellKnown.graphAppID }?.scopes ?? [])
  }

  /// The resource and the permission's name that a scope of a request stands for; nil where there is no such resource.
  func locate(_ scope: String) -> (resource: Resource, name: String)? {
    guard let slash = scope.lastIndex(of: "/") else { return (graphResource(), scope) }
    guard let resource = resource(named: String(scope[..<slash])) else { return nil }
    return (resource, String(scope[scope.index(after: slash)...]))
  }
}

extension Resource {
  fileprivate init(_ api: ResourceAPI, uri: String, tokenVersion: Int) {
    self.init(
      appID: api.appId, uri: uri, name: api.name ?? uri, scopes: api.scopes, roles: api.roles,
      tokenVersion: tokenVersion, evaluatesContinuously: api.continuousAccess ?? false,
      preauthorizedOnly: api.preauthorizedOnly)
  }

  fileprivate init(_ api: FirstPartyAPI, uri: String) {
    self.init(
      appID: api.appID, uri: uri, name: api.name, scopes: api.scopes.map { ResourceAPI.Scope($0) }, roles: [],
      tokenVersion: 1, evaluatesContinuously: false)
  }
}

extension String {
  fileprivate var trimmingLastSlash: Substring { hasSuffix("/") ? dropLast() : self[...] }
}
