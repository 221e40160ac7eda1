import Directory
import Effects
import GraphEmulator
import IdentityPlatform
import OAuth
import OrderedCollections

extension Platform {
  /// Returns an app's name, client ID, and registration type for the request log.
  func description(of app: RegisteredApp) -> String {
    let isOnTheFly = withState { $0.appsOnTheFly.contains(app.appId.lowercased()) }
    return "\(app.displayName) (\(app.appId)), \(isOnTheFly ? "registered on the fly" : "registered")"
  }

  /// Returns the app that sent a request. Registers an unknown app on the fly if the directory allows it.
  /// - Parameter host: The host of the request, which determines the cloud; nil skips the cloud check.
  func client(_ id: String?, in realm: Realm, host: String? = nil) throws(ErrorResponse) -> RegisteredApp {
    guard let id, !id.isEmpty else {
      throw ErrorResponse(900144, "The request body must contain the following parameter: 'client_id'.")
    }
    let (client, isNew) = withState { state -> (RegisteredApp?, Bool) in
      if let app = state.app(id) { return (app, false) }
      guard state.automaticRegistration.apps, GUIDText.isWellFormed(id), id.lowercased() != WellKnown.graphAppID else {
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
        "The application with the identifier '\(id.prefix(100))' was not found in the directory '\(displayedTenantID(realm.tenantID))'."
      )
    }
    if isNew { notice("app `\(id)` is not in the directory and was registered on the fly") }
    try checkAudience(of: client, in: realm, host: host)
    if client.disabled == true { throw ErrorResponse(7000112, "The application '\(client.appId)' is disabled.") }
    return client
  }

  /// Checks that the app's audience allows this kind of authority.
  private func checkAudience(of client: RegisteredApp, in realm: Realm, host: String?) throws(ErrorResponse) {
    if case .login(.public)? = host.flatMap({ HostKind($0) }), let home = client.tenant {
      let cloud = withState { ($0.tenant(named: home) ?? $0.tenant(withName: home))?.cloud }
      guard Cloud.public.isSameInstance(as: cloud) else { throw ErrorResponse(900_439) }
    }
    switch (client.effectiveAudience, realm.kind) {
    case (.myOrg, .common), (.myOrg, .organizations):
      throw ErrorResponse(
        50194,
        "The application '\(client.appId)' is single-tenant and cannot be used with the /\(realm.segment) endpoint.")
    case (.myOrg, .tenant(let id)):
      let isHome = withState { state -> Bool in
        let home = client.tenant.flatMap { state.tenant(named: $0) ?? state.tenant(withName: $0) }
        return (home ?? state.graph.tenants.values.first)?.id == id
      }
      guard isHome else {
        throw ErrorResponse(
          700016,
          "The application with the identifier '\(client.appId)' was not found in the directory '\(displayedTenantID(id))'."
        )
      }
    case (.myOrg, .consumers), (.multipleOrgs, .consumers):
      throw ErrorResponse(
        9_002_332,
        "The application '\(client.appId)'(\(client.displayName)) supports organizational accounts only and cannot be used with the /consumers endpoint."
      )
    case (.personal, .tenant), (.personal, .organizations):
      throw ErrorResponse(
        9_002_346,
        "The application '\(client.appId)'(\(client.displayName)) supports personal accounts only; use the /consumers endpoint."
      )
    default: break
    }
  }

  /// Returns a request's redirect URI and its type. Throws an error if the URI neither is registered nor can be
  /// registered on the fly.
  /// - Parameter isBrowserScript: Whether the request comes from MSAL.js. This determines the type of a URI that is
  ///   registered on the fly.
  func redirect(
    _ uri: String?, of client: RegisteredApp, isBrowserScript: Bool
  ) throws(ErrorResponse) -> (uri: String, type: RegisteredApp.RedirectType) {
    let isOnTheFly = withState { $0.appsOnTheFly.contains(client.appId.lowercased()) }
    guard let uri, !uri.isEmpty else {
      guard let first = client.redirects.first else { throw ErrorResponse(900971) }
      return first
    }
    // Look for exact matches first, because two loopback URIs can differ only in port and type.
    if let match = client.redirects.first(where: { $0.uri == uri })
      ?? client.redirects.first(where: { RedirectMatching.matches($0.uri, uri) })
    {
      return (uri, match.type)
    }
    guard isOnTheFly, RedirectMatching.isAcceptable(uri) else {
      throw ErrorResponse(
        50011,
        "The redirect URI '\(uri.prefix(500))' in the request does not match a redirect URI registered for the application '\(client.appId)'."
      )
    }
    let type = isBrowserScript ? RegisteredApp.RedirectType.spa : .publicClient
    withState { state in
      guard var app = state.app(client.appId) else { return }
      if type == .spa { app.spaRedirectUris.append(uri) } else { app.publicRedirectUris.append(uri) }
      state.apps[client.appId.lowercased()] = app
    }
    notice("redirect URI `\(uri)` of app `\(client.appId)` was registered on the fly")
    return (uri, type)
  }
}

extension Platform {
  /// Whether the app has a single-page redirect URI with this origin. Only pages from such an origin can read tokens.
  /// - Parameter clientID: The client of the request, or nil for any app.
  func isSinglePageOrigin(_ origin: String, of clientID: String?) -> Bool {
    let expected = URLReference(origin)
    return withState { state in
      let apps = clientID.map { id in state.app(id).map { [$0] } ?? [] } ?? Array(state.apps.values)
      return apps.contains { app in
        app.spaRedirectUris.contains { uri in
          let url = URLReference(uri)
          return url.scheme?.lowercased() == expected.scheme?.lowercased() && url.host == expected.host
            && (url.port == expected.port || url.host.map(RedirectMatching.isLoopback) == true)
        }
      }
    }
  }
}

extension Platform {
  /// Returns the tenant ID for error descriptions. On `common` and similar endpoints, the account is not known yet, so
  /// this is the ID of the directory's first tenant.
  func displayedTenantID(_ id: String?) -> String {
    id ?? withState { $0.graph.tenants.values.first?.id } ?? Tenant.personalID
  }
}

extension RegisteredApp {
  /// The app's name in errors and on consent pages.
  var displayName: String { name ?? "Unnamed app" }
}

extension PlatformState {
  /// Returns the tenant with this display name, ignoring case.
  func tenant(withName name: String) -> Tenant? {
    graph.tenants.values.first { $0.name.lowercased() == name.lowercased() }
  }
}

/// Rules for comparing a requested redirect URI with a registered URI.
enum RedirectMatching {
  static func matches(_ registered: String, _ requested: String) -> Bool {
    if registered == requested { return true }
    let expected = URLReference(registered)
    let actual = URLReference(requested)
    guard expected.scheme?.lowercased() == actual.scheme?.lowercased(), expected.host == actual.host else {
      return false
    }
    guard let scheme = expected.scheme?.lowercased(), scheme == "http" || scheme == "https", actual.fragment == nil
    else {
      return false
    }
    guard isPlain(actual) else { return false }
    func path(_ url: URLReference) -> String { url.path.isEmpty ? "/" : url.path }
    guard path(expected) == path(actual), expected.query == actual.query else { return false }
    // Native apps can use any free loopback port (RFC 8252 §7.3).
    if let host = expected.host, isLoopback(host) { return true }
    return expected.environment == actual.environment
  }

  /// Whether the authority consists only of a host and port, without user information or characters that browsers
  /// interpret differently.
  private static func isPlain(_ url: URLReference) -> Bool {
    (url.authority ?? "").utf8.allSatisfy { byte in
      byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":")
        || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
        || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
    }
  }

  static func isLoopback(_ host: String) -> Bool { host == "localhost" || host == "127.0.0.1" }

  /// Whether an unregistered URI can be registered on the fly. Only loopback URIs can use `http`, and script schemes
  /// are not allowed.
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
