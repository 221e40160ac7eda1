import Effects

/// MSAL's rules for the scopes in a request.
package enum ScopeRules {
  /// The scopes that MSAL adds to every request and does not accept from apps. Apps can request `email`.
  package static let reserved = WellKnown.addedScopes

  /// Whether the scope is reserved. The comparison is case-sensitive, as in MSAL.
  package static func isReserved(_ scope: String) -> Bool { reserved.contains(scope) }

  /// Whether MSAL rejects the client ID as a scope. MSAL rejects it for AAD and CIAM. B2C apps can request a token for
  /// themselves.
  package static func rejectsClientID(_ kind: Authority.Kind) -> Bool { kind == .aad || kind == .ciam }

  /// Returns the scopes for the authorization request: the requested scopes, then the reserved scopes, and then the
  /// extra scopes for consent.
  package static func authorizeScopes(_ scopes: [String], extra: [String] = []) -> [String] {
    unique(scopes + WellKnown.addedScopes + extra)
  }

  /// Returns the scopes for the token request, without the extra scopes.
  package static func tokenScopes(_ scopes: [String]) -> [String] { unique(scopes + WellKnown.addedScopes) }

  /// Returns the resource of a scope: the text before the last slash, or Microsoft Graph if there is no slash. Returns
  /// nil for OpenID Connect scopes. If the resource ID ends with a slash, the scope contains a double slash, and the
  /// first slash belongs to the resource.
  package static func resource(of scope: String, graphHost: String = "graph.microsoft.com") -> String? {
    guard let slash = scope.lastIndex(of: "/") else {
      return WellKnown.openIDScopes.contains(scope.lowercased()) ? nil : "https://\(graphHost)"
    }
    return String(scope[..<slash])
  }

  /// Returns the permission name in a scope: the text after the last slash.
  package static func permission(of scope: String) -> String {
    scope.lastIndex(of: "/").map { String(scope[scope.index(after: $0)...]) } ?? scope
  }

  /// Whether the scope is a Microsoft Graph permission, by short name, URL, or application ID.
  package static func isGraph(_ scope: String) -> Bool {
    guard let resource = resource(of: scope)?.lowercased() else { return false }
    if resource == WellKnown.graphAppID { return true }
    guard let host = URLReference(valid: resource)?.host else { return false }
    return Cloud.withGraph(host: host) != nil
  }

  /// Returns the permission name in a Microsoft Graph scope. Returns any other scope unchanged.
  package static func shortName(of scope: String) -> String { isGraph(scope) ? permission(of: scope) : scope }

  private static func unique(_ scopes: [String]) -> [String] {
    var seen: Set<String> = []
    return scopes.filter { seen.insert($0).inserted }
  }
}
