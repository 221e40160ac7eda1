/// MSAL's rules for the scopes of a request.
package enum ScopeRules {
  /// Scopes that MSAL adds to every request and rejects from apps. `email` is allowed.
  package static let reserved = WellKnown.addedScopes

  /// Whether the scope is reserved. Case matters, as in MSAL.
  package static func isReserved(_ scope: String) -> Bool { reserved.contains(scope) }

  /// Whether MSAL rejects the client ID as a scope. It does for AAD and CIAM. A B2C app can request a token for itself.
  package static func rejectsClientID(_ kind: Authority.Kind) -> Bool { kind == .aad || kind == .ciam }

  /// Returns the scopes of the authorize request: the requested scopes, the reserved scopes, then the extra scopes to
  /// consent to.
  package static func authorizeScopes(_ scopes: [String], extra: [String] = []) -> [String] {
    unique(scopes + WellKnown.addedScopes + extra)
  }

  /// Returns the scopes of the token request, without the extra scopes.
  package static func tokenScopes(_ scopes: [String]) -> [String] { unique(scopes + WellKnown.addedScopes) }

  /// Returns the resource of a scope: the text before the last slash, or Microsoft Graph if there is no slash. Nil for
  /// OpenID Connect scopes. If the resource ID ends in a slash, the scope has two slashes in a row, of which the first
  /// belongs to the resource.
  package static func resource(of scope: String, graphHost: String = "graph.microsoft.com") -> String? {
    guard let slash = scope.lastIndex(of: "/") else {
      return WellKnown.openIDScopes.contains(scope.lowercased()) ? nil : "https://\(graphHost)"
    }
    return String(scope[..<slash])
  }

  /// Returns the name of the permission: the text after the last slash.
  package static func permission(of scope: String) -> String {
    scope.lastIndex(of: "/").map { String(scope[scope.index(after: $0)...]) } ?? scope
  }

  /// Whether the scope is a Microsoft Graph permission, by short name, URL, or application ID.
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
