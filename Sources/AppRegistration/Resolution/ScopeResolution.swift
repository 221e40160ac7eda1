import Diagnostics
import Documents
import IdentityPlatform
import Trust

extension SettingsResolution {
  /// The scopes that the app names, refused where MSAL would refuse each request for them.
  mutating func resolveScopes(clientID: String?, _ authority: Authority?) -> [String]? {
    guard let scopes = settings.scopes else {
      origins.append(("GraphScopes", .byDefault))
      return ["User.Read"]
    }
    origins.append(("GraphScopes", .written(scopes.place)))
    guard !scopes.value.isEmpty else {
      // What could not be read is not missing.
      guard !holdsToldError(scopes.place) else { return nil }
      error(
        .scopesEmpty, "the list of scopes is empty: there would be nothing to ask for",
        help: "name at least one, such as User.Read", at: scopes.place)
      return nil
    }
    var accepted = true
    for scope in scopes.value.prefix(Self.mostScopes) where !check(scope, clientID: clientID, authority) {
      accepted = false
    }
    return accepted ? scopes.value.map(\.value) : nil
  }

  /// No request carries so many; what stands behind them in a file of megabytes is not judged.
  private static let mostScopes = 1000

  /// Whether an error was told inside a value when it was read.
  private func holdsToldError(_ place: FileSpan) -> Bool {
    guard let span = place.span else { return false }
    return problems.diagnostics.contains { told in
      guard told.severity == .error, told.place.source.name == place.source.name, let inner = told.place.span else {
        return false
      }
      return span.start <= inner.start && inner.start <= span.end
    }
  }

  private mutating func check(_ scope: Positioned<String>, clientID: String?, _ authority: Authority?) -> Bool {
    let text = scope.value
    guard !Definitions.holdsReference(text) else { return false }
    if ScopeRules.isReserved(text) {
      error(
        .scopeReserved, "\(text) may not be asked for: MSAL adds openid, profile and offline_access itself",
        help: "remove it", at: scope.place)
      return false
    }
    if let clientID, text == clientID, authority.map({ ScopeRules.refusesClientID($0.kind) }) ?? true {
      error(
        .scopeClientID, "the client id is no scope; that works with B2C only",
        help: "ask for an API's scope: api://<api's id>/<permission>, or User.Read", at: scope.place)
      return false
    }
    if text.trimmingWhiteSpace.isEmpty {
      error(.scopeMalformed, "a scope is empty", help: "remove it", at: scope.place)
      return false
    }
    if text.contains(where: \.isWhitespace) {
      error(
        .scopeMalformed, "\"\(text)\" holds white space, and a scope is one word",
        help: "make each scope an element of its own", at: scope.place)
      return false
    }
    if let mark = text.first(where: { $0 == "," || $0 == ";" }), text.split(separator: mark).count > 1 {
      error(
        .scopeMalformed, "\"\(text)\" is several scopes, and \"\(mark)\" separates none",
        help: "make each scope an element of its own", at: scope.place)
      return false
    }
    if let placeholder = TemplatePlaceholder.find(in: text) {
      error(
        .scopeMalformed, "the scope still holds a placeholder: \(placeholder)", help: "write the permission's own name",
        at: scope.place)
      return false
    }
    return true
  }

  /// Where Graph calls go: the cloud's own Graph, unless the settings name another place.
  mutating func resolveGraphEndpoint(_ authority: Authority?) -> String? {
    guard let written = settings.graphEndpoint else {
      let cloud = settings.cloud?.value ?? authority?.cloud ?? .public
      origins.append(("GraphEndpoint", authority?.cloud == nil ? .byDefault : .derived("the authority's cloud")))
      return "https://\(cloud.graphHost ?? "graph.microsoft.com")"
    }
    origins.append(("GraphEndpoint", .written(written.place)))
    guard !Definitions.holdsReference(written.value) else { return nil }
    var text = written.value[...]
    while text.hasSuffix("/") { text = text.dropLast() }
    for version in ["/v1.0", "/beta"] where text.hasSuffix(version) {
      text = text.dropLast(version.count)
      warning(
        .graphEndpointMalformed, "the version belongs to each call, not to GraphEndpoint", help: "leave out \(version)",
        at: written.place)
    }
    let parts = URLParts(text)
    let scheme = parts?.scheme?.lowercased()
    guard let parts, parts.environment != nil, scheme == "https" || scheme == "http" && parts.isLoopback,
      !text.contains(where: \.isWhitespace), parts.query == nil, parts.fragment == nil
    else {
      error(
        .graphEndpointMalformed, "GraphEndpoint is no https address", help: "write it like https://graph.microsoft.com",
        at: written.place)
      return nil
    }
    guard let origin = Origin(of: text),
      origin.isLoopback || TokenDestinations.isGraph(origin) || isRetiredGraph(origin)
    else {
      error(
        .graphEndpointHost, "`\(parts.host ?? "")` is not a Microsoft Graph host, so it receives no Graph token",
        help: "use the Graph host of your cloud, such as https://graph.microsoft.com", at: written.place)
      return nil
    }
    return String(text)
  }

  /// Azure AD Graph no longer answers, and a rule of its own says so.
  private func isRetiredGraph(_ origin: Origin) -> Bool { origin.host == "graph.windows.net" }
}
