/// What MSAL asks of the scopes that an app names, and what it makes of them.
package enum ScopeRules {
  /// Scopes that MSAL adds by itself and refuses to be given, in any request. `email` may be asked for.
  package static let reserved = WellKnown.addedScopes

  /// Compared with regard to case, as MSAL does.
  package static func isReserved(_ scope: String) -> Bool { reserved.contains(scope) }

  /// Whether asking for the client id as scope is refused: it is for AAD and CIAM, a B2C app may call itself that way.
  package static func refusesClientID(_ kind: Authority.Kind) -> Bool { kind == .aad || kind == .ciam }

  /// The authorize request's scopes: those asked for, then MSAL's own three, then those to be consented to on the way.
  package static func authorizeScopes(_ scopes: [String], extra: [String] = []) -> [String] {
    unique(scopes + WellKnown.addedScopes + extra)
  }

  /// The token request's scopes: without the extra ones.
  package static func tokenScopes(_ scopes: [String]) -> [String] { unique(scopes + WellKnown.addedScopes) }

  /// The resource that a scope belongs to: everything before the last slash; nil for OpenID Connect's own names.
  /// A name without a slash is Microsoft Graph's. Where the resource's own id ends in a slash, the scope has two in a row and the
  /// first of them belongs to the resource.
  package static func resource(of scope: String, graphHost: String = "graph.microsoft.com") -> String? {
    guard let slash = scope.lastIndex(of: "/") else {
      return WellKnown.openIDScopes.contains(scope.lowercased()) ? nil : "https://\(graphHost)"
    }
    return String(scope[..<slash])
  }

  /// The permission's own name: what follows the last slash.
  package static func permission(of scope: String) -> String {
    scope.lastIndex(of: "/").map { String(scope[scope.index(after: $0)...]) } ?? scope
  }

  /// Whether the scope names a permission of Microsoft Graph, by short name, by URL or by application id.
  package static func isGraph(_ scope: String) -> Bool {
    guard let resource = resource(of: scope)?.lowercased() else { return false }
    if resource == WellKnown.graphAppID { return true }
    guard let host = URLParts(resource)?.host else { return false }
    return Cloud.withGraph(host: host) != nil
  }

  private static func unique(_ scopes: [String]) -> [String] {
    var seen: Set<String> = []
    return scopes.filter { seen.insert($0).inserted }
  }
}
