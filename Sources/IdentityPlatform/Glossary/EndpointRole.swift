/// What an address of the sign-in service or of Graph is for, by its path.
package enum EndpointRole: Sendable, Hashable, CaseIterable {
  case authorize, token, deviceCode, deviceLogin, signOut, instanceDiscovery, metadata, keys, userInfo, signInPage,
    graph
  case other

  /// - Parameters:
  ///   - host: the host's name, in lower case.
  ///   - path: the path without its query.
  ///   - isBearer: whether the request brings an access token.
  package init(host: String, path: String, isBearer: Bool) {
    let path = path.lowercased()
    if path.hasSuffix("/oauth2/v2.0/token") || path.hasSuffix("/oauth2/token") {
      self = .token
    } else if path.hasSuffix("/authorize") {
      self = .authorize
    } else if path.hasSuffix("/devicecode") {
      self = .deviceCode
    } else if path.hasSuffix("/devicelogin") || path.hasSuffix("/deviceauth") {
      self = .deviceLogin
    } else if path.hasSuffix("/logout") {
      self = .signOut
    } else if path.hasSuffix("/discovery/instance") {
      self = .instanceDiscovery
    } else if path.contains("/.well-known/") {
      self = .metadata
    } else if path.hasSuffix("/discovery/v2.0/keys") || path.hasSuffix("/discovery/keys") {
      self = .keys
    } else if path.hasSuffix("/userinfo") {
      self = .userInfo
    } else if host.hasPrefix("graph.") || host.contains(".graph.") || host.hasPrefix("microsoftgraph.") {
      self = .graph
    } else {
      self = isBearer ? .other : .signInPage
    }
  }

  /// Its short name.
  package var name: String {
    switch self {
    case .authorize: "authorization endpoint"
    case .token: "token endpoint"
    case .deviceCode: "device authorization endpoint"
    case .deviceLogin: "device login page"
    case .signOut: "end session endpoint"
    case .instanceDiscovery: "instance discovery"
    case .metadata: "provider metadata"
    case .keys: "signing keys"
    case .userInfo: "userinfo endpoint"
    case .signInPage: "sign-in page"
    case .graph: "Microsoft Graph"
    case .other: "API"
    }
  }

  /// What a request to it is for, in a sentence.
  package var purpose: String {
    switch self {
    case .authorize:
      "Here the browser begins a sign-in: the service shows its pages, and in the end sends the browser back to the app's redirect URI with a code."
    case .token:
      "Here a code, a refresh token or a device code is turned into tokens. The app asks it directly, not by the browser."
    case .deviceCode:
      "Here an app without a browser of its own asks for a code, which the user types on another device."
    case .deviceLogin: "Here the user types the code that the other device shows."
    case .signOut: "Here the browser ends the session at the service. The app's own cache is cleared beside it."
    case .instanceDiscovery:
      "It tells which host names belong to one cloud, so that an authority can be trusted and cache entries found under any of its names."
    case .metadata:
      "The provider's own description (OpenID Connect Discovery): its endpoints, its issuer, its keys' address."
    case .keys: "The public keys that ID tokens are signed with."
    case .userInfo: "Claims about the user, for whoever holds an access token for them."
    case .signInPage: "A page of the sign-in, between the user and the service; the app sees nothing of it."
    case .graph: "The protected API: it looks at the access token, and answers what its permissions allow."
    case .other: "An API or another service."
    }
  }
}
