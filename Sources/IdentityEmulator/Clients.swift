import Directory
import Effects
import GraphEmulator
import IdentityPlatform
import OAuth
import OrderedCollections

extension Platform {
  /// The app of a request; an unknown one is registered on the fly where allowed.
  /// - Parameter host: where it is asked for, which decides about the cloud; nil: anywhere.
  func client(_ id: String?, in realm: Realm, host: String? = nil) throws(ErrorResponse) -> RegisteredApp {
    guard let id, !id.isEmpty else {
      throw ErrorResponse(900144, "The request body must contain the following parameter: 'client_id'.")
    }
    let (client, isNew) = withState { state -> (RegisteredApp?, Bool) in
      if let known = state.app(id) { return (known, false) }
      guard state.makesUp.apps, GUIDText.isWellFormed(id), id.lowercased() != WellKnown.graphAppID else {
        return (nil, false)
      }
      let app = RegisteredApp(appId: id, publicRedirectUris: [])
      state.apps[id.lowercased()] = app
      state.appsOnTheFly.insert(id.lowercased())
      return (app, true)
    }
    guard let client else {
      throw ErrorResponse(
        700016,
        "The application with identifier '\(id.prefix(100))' was not found in the directory '\(shownTenant(realm.tenantID))'."
      )
    }
    if isNew { notice("the app \(id) is not in the directory and was registered on the fly") }
    try admit(client, to: realm, host: host)
    if client.disabled == true { throw ErrorResponse(7000112, "The application '\(client.appId)' is disabled.") }
    return client
  }

  /// Whether the app may be used with this kind of authority.
  private func admit(_ client: RegisteredApp, to realm: Realm, host: String?) throws(ErrorResponse) {
    if case .login(.public)? = host.flatMap({ HostKind($0) }), let home = client.tenant {
      let cloud = withState { ($0.tenant(named: home) ?? $0.tenant(called: home))?.cloud }
      guard Cloud.public.isSameInstance(as: cloud) else { throw ErrorResponse(900_439) }
    }
    switch (client.effectiveAudience, realm.kind) {
    case (.myOrg, .common), (.myOrg, .organizations):
      throw ErrorResponse(
        50194, "The application '\(client.appId)' is for one tenant and cannot be used through /\(realm.segment).")
    case (.myOrg, .tenant(let id)):
      let isHome = withState { state -> Bool in
        let home = client.tenant.flatMap { state.tenant(named: $0) ?? state.tenant(called: $0) }
        return (home ?? state.graph.tenants.values.first)?.id == id
      }
      guard isHome else {
        throw ErrorResponse(
          700016,
          "The application with identifier '\(client.appId)' was not found in the directory '\(shownTenant(id))'.")
      }
    case (.myOrg, .consumers), (.multipleOrgs, .consumers):
      throw ErrorResponse(
        9_002_332,
        "The application '\(client.appId)'(\(client.shownName)) is for organizations only and cannot be used through the /consumers endpoint."
      )
    case (.personal, .tenant), (.personal, .organizations):
      throw ErrorResponse(
        9_002_346,
        "The application '\(client.appId)'(\(client.shownName)) is for personal accounts only: use the /consumers endpoint."
      )
    default: break
    }
  }

  /// Finds a redirect URI among those of the app, by the platform's rules.
  /// - Parameter isBrowserScript: whether the request comes from MSAL.js; decides the type of a URI that is new.
  func redirect(
    _ uri: String?, of client: RegisteredApp, isBrowserScript: Bool
  ) throws(ErrorResponse) -> (uri: String, type: RegisteredApp.RedirectType) {
    let isOnTheFly = withState { $0.appsOnTheFly.contains(client.appId.lowercased()) }
    guard let uri, !uri.isEmpty else {
      guard let first = client.redirects.first else { throw ErrorResponse(900971) }
      return first
    }
    // The very URI first: two on loopback may differ by port and type only.
    if let match = client.redirects.first(where: { $0.uri == uri })
      ?? client.redirects.first(where: { RedirectMatching.matches($0.uri, uri) })
    {
      return (uri, match.type)
    }
    guard isOnTheFly, RedirectMatching.isAcceptable(uri) else {
      throw ErrorResponse(
        50011,
        "The redirect URI '\(uri.prefix(500))' of the request does not match those registered for the application '\(client.appId)'."
      )
    }
    let type = isBrowserScript ? RegisteredApp.RedirectType.spa : .publicClient
    withState { state in
      guard var app = state.app(client.appId) else { return }
      if type == .spa { app.spaRedirectUris.append(uri) } else { app.publicRedirectUris.append(uri) }
      state.apps[client.appId.lowercased()] = app
    }
    notice("the redirect URI \(uri) of \(client.appId) was registered on the fly")
    return (uri, type)
  }
}

extension Platform {
  /// Whether the app has a single-page redirect URI at that origin. Only pages there may read tokens.
  /// - Parameter clientID: the request's client, or nil for any app.
  func isSinglePageOrigin(_ origin: String, of clientID: String?) -> Bool {
    let wanted = URLReference(origin)
    return withState { state in
      let apps = clientID.map { id in state.app(id).map { [$0] } ?? [] } ?? Array(state.apps.values)
      return apps.contains { app in
        app.spaRedirectUris.contains { uri in
          let url = URLReference(uri)
          return url.scheme?.lowercased() == wanted.scheme?.lowercased() && url.host == wanted.host
            && (url.port == wanted.port || url.host.map(RedirectMatching.isLoopback) == true)
        }
      }
    }
  }
}

extension Platform {
  /// The tenant's id as errors name it. An endpoint for several tenants stands for the directory's first tenant here,
  /// because no account is known yet.
  func shownTenant(_ id: String?) -> String {
    id ?? withState { $0.graph.tenants.values.first?.id } ?? Tenant.personalID
  }
}

extension RegisteredApp {
  /// The name as errors and consent pages show it.
  var shownName: String { name ?? "Unnamed app" }
}

extension PlatformState {
  func tenant(called name: String) -> Tenant? {
    graph.tenants.values.first { $0.name.lowercased() == name.lowercased() }
  }
}

/// How a redirect URI of a request is compared with a registered one.
enum RedirectMatching {
  static func matches(_ registered: String, _ asked: String) -> Bool {
    if registered == asked { return true }
    let wanted = URLReference(registered)
    let actual = URLReference(asked)
    guard wanted.scheme?.lowercased() == actual.scheme?.lowercased(), wanted.host == actual.host else { return false }
    guard let scheme = wanted.scheme?.lowercased(), scheme == "http" || scheme == "https", actual.fragment == nil else {
      return false
    }
    guard isPlain(actual) else { return false }
    func path(_ url: URLReference) -> String { url.path.isEmpty ? "/" : url.path }
    guard path(wanted) == path(actual), wanted.query == actual.query else { return false }
    // The port of a loopback address is whatever was free (RFC 8252 §7.3).
    if let host = wanted.host, isLoopback(host) { return true }
    return port(wanted) == port(actual)
  }

  /// Whether the authority holds nothing but a host and a port: no user, and nothing that browsers read otherwise.
  private static func isPlain(_ url: URLReference) -> Bool {
    (url.authority ?? "").utf8.allSatisfy { byte in
      byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":")
        || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
        || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
    }
  }

  private static func port(_ url: URLReference) -> Int? {
    url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80)
  }

  static func isLoopback(_ host: String) -> Bool { host == "localhost" || host == "127.0.0.1" }

  /// Whether a URI that nobody registered may be taken for one: no `http` beyond loopback, no script.
  static func isAcceptable(_ uri: String) -> Bool {
    let url = URLReference(uri)
    guard uri.utf8.count <= 2048, url.fragment == nil, let scheme = url.scheme?.lowercased(),
      uri.unicodeScalars.allSatisfy({ $0.value > 32 && $0.value != 127 })
    else { return false }
    if ["javascript", "data", "vbscript", "file", "blob", "about"].contains(scheme) { return false }
    if scheme == "http" { return isPlain(url) && url.host.map(isLoopback) ?? false }
    if scheme == "https" { return url.host != nil && isPlain(url) }
    return true
  }
}
