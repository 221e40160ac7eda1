import Directory
import Effects
import GraphEmulator
import IdentityPlatform

/// An API for which the emulator can issue access tokens, including Microsoft Graph.
struct Resource: Hashable, Sendable {
  var appID: String
  /// The prefix of fully qualified scopes and the audience of version 1 tokens.
  var uri: String
  var name: String
  var scopes: [ResourceAPI.Scope]
  var roles: [String]
  var tokenVersion: Int
  var evaluatesContinuously: Bool
  /// The clients that can get tokens for the API, or nil if all clients can get them.
  var preauthorizedOnly: [String]?

  static let graphName = "Microsoft Graph"

  var isGraph: Bool { appID == WellKnown.graphAppID }

  /// Returns the scope with this name, ignoring case, or nil. The scope keeps its declared spelling.
  func scope(named name: String) -> ResourceAPI.Scope? {
    if isGraph, let permission = GraphPermission.published(name) {
      return ResourceAPI.Scope(permission.name, adminOnly: permission.needsAdmin)
    }
    return scopes.first { $0.name.lowercased() == name.lowercased() }
  }

  /// Returns Microsoft Graph with its published permissions.
  /// - Parameter declared: Additional permissions from the directory, such as newly published permissions.
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
  /// Returns the resource with this name, which can be an application ID or an identifier URI with or without a
  /// trailing slash.
  func resource(named name: String) -> Resource? {
    let identifier = name.lowercased()
    if identifier == WellKnown.graphAppID { return graphResource() }
    if let url = URLReference(valid: name), let host = url.host, let cloud = Cloud.withGraph(host: host) {
      return graphResource(uri: "https://\(cloud.graphHost ?? host)")
    }
    // `uri` keeps the requested spelling, because the audience of version 1 tokens has the same spelling.
    for api in resources {
      let isNamed =
        api.appId.lowercased() == identifier || "api://\(api.appId.lowercased())" == identifier
        || api.uris.contains { $0.lowercased().trimmingLastSlash == identifier.trimmingLastSlash }
      if isNamed { return Resource(api, uri: name, tokenVersion: tokenVersion(of: api)) }
    }
    return FirstPartyAPI.named(name).map { Resource($0, uri: name) }
  }

  /// Returns the access token version of an API. If `requestedAccessTokenVersion` is null, the version is 1, or 2 for
  /// app registrations that allow personal accounts. Entra requires version 2 for personal accounts.
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

  /// Returns Microsoft Graph with its published permissions and the permissions that the directory adds to Graph.
  private func graphResource(uri: String = "https://graph.microsoft.com") -> Resource {
    .graph(uri: uri, declared: resources.first { $0.appId.lowercased() == WellKnown.graphAppID }?.scopes ?? [])
  }

  /// Splits a requested scope into a resource and a permission name. Returns nil if the resource does not exist.
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
