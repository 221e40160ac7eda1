import Diagnostics
import Documents
import Effects
import IdentityPlatform
import Trust

extension SettingsResolution {
  /// Returns the scopes from the settings, or nil after an error that would make MSAL reject every request.
  mutating func resolveScopes(clientID: String?, _ authority: Authority?) -> [String]? {
    guard let scopes = settings.scopes else {
      origins.append(("GraphScopes", .byDefault))
      return ["User.Read"]
    }
    origins.append(("GraphScopes", .source(scopes.place)))
    guard !scopes.value.isEmpty else {
      // A list is also empty if its elements caused errors.
      guard !hasReportedError(scopes.place) else { return nil }
      error(
        .scopesEmpty, "list of scopes is empty",
        help: "add at least one scope, such as `User.Read`", at: scopes.place)
      return nil
    }
    var accepted = true
    for scope in scopes.value.prefix(Self.maximumScopes) where !check(scope, clientID: clientID, authority) {
      accepted = false
    }
    return accepted ? scopes.value.map(\.value) : nil
  }

  /// The maximum number of scopes to check. No request contains that many.
  private static let maximumScopes = 1000

  /// Whether an error was reported inside a value.
  private func hasReportedError(_ place: FileSpan) -> Bool {
    guard let span = place.span else { return false }
    return problems.diagnostics.contains { diagnostic in
      guard diagnostic.severity == .error, diagnostic.place.source.name == place.source.name,
        let inner = diagnostic.place.span
      else {
        return false
      }
      return span.start <= inner.start && inner.start <= span.end
    }
  }

  private mutating func check(_ scope: Positioned<String>, clientID: String?, _ authority: Authority?) -> Bool {
    let text = scope.value
    guard !Definitions.containsReference(text) else { return false }
    if ScopeRules.isReserved(text) {
      error(
        .scopeReserved, "reserved scope `\(text)`, which MSAL adds to every request",
        help: "remove the scope", at: scope.place)
      return false
    }
    if let clientID, text == clientID, authority.map({ ScopeRules.rejectsClientID($0.kind) }) ?? true {
      error(
        .scopeClientID, "client ID used as a scope, which only B2C supports",
        help: "use a scope such as `api://<API's client ID>/<permission>` or `User.Read`", at: scope.place)
      return false
    }
    if text.trimmingWhiteSpace.isEmpty {
      error(.scopeMalformed, "empty scope", help: "remove the scope", at: scope.place)
      return false
    }
    if text.contains(where: \.isWhitespace) {
      error(
        .scopeMalformed, "scope contains whitespace: `\(text)`",
        help: "make each scope a separate list element", at: scope.place)
      return false
    }
    if let mark = text.first(where: { $0 == "," || $0 == ";" }), text.split(separator: mark).count > 1 {
      error(
        .scopeMalformed, "scopes separated by `\(mark)`: `\(text)`",
        help: "make each scope a separate list element", at: scope.place)
      return false
    }
    if let placeholder = TemplatePlaceholder.find(in: text) {
      error(
        .scopeMalformed, "scope contains a placeholder: `\(placeholder)`", help: "replace it with a scope of your API",
        at: scope.place)
      return false
    }
    return true
  }

  /// Returns the base URL for Graph requests: `GraphEndpoint`, or the cloud's Microsoft Graph endpoint.
  mutating func resolveGraphEndpoint(_ authority: Authority?) -> String? {
    guard let written = settings.graphEndpoint else {
      let cloud = settings.cloud?.value ?? authority?.cloud ?? .public
      origins.append(("GraphEndpoint", authority?.cloud == nil ? .byDefault : .derived("the authority's cloud")))
      return "https://\(cloud.graphHost ?? "graph.microsoft.com")"
    }
    origins.append(("GraphEndpoint", .source(written.place)))
    guard !Definitions.containsReference(written.value) else { return nil }
    var text = written.value[...]
    while text.hasSuffix("/") { text = text.dropLast() }
    for version in ["/v1.0", "/beta"] where text.hasSuffix(version) {
      text = text.dropLast(version.count)
      warning(
        .graphEndpointMalformed, "API version in `GraphEndpoint`",
        help: "remove `\(version)` and add it to the path of each request",
        at: written.place)
    }
    let parts = URLReference(valid: text)
    let scheme = parts?.scheme?.lowercased()
    guard let parts, parts.environment != nil, scheme == "https" || scheme == "http" && parts.isLoopback,
      !text.contains(where: \.isWhitespace), parts.query == nil, parts.fragment == nil
    else {
      error(
        .graphEndpointMalformed, "`GraphEndpoint` is not an https URL",
        help: "use a URL such as `https://graph.microsoft.com`",
        at: written.place)
      return nil
    }
    guard let origin = Origin(of: text),
      origin.isLoopback || TokenDestinations.isGraph(origin) || isRetiredGraph(origin)
    else {
      error(
        .graphEndpointHost, "`\(parts.host ?? "")` is not a Microsoft Graph host and cannot receive Graph tokens",
        help: "use the Graph host of your cloud, such as `https://graph.microsoft.com`", at: written.place)
      return nil
    }
    return String(text)
  }

  /// Whether the host belongs to the retired Azure AD Graph, which another rule reports.
  private func isRetiredGraph(_ origin: Origin) -> Bool { origin.host == "graph.windows.net" }
}
