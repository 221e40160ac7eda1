/// The role of an endpoint in the sign-in service or Microsoft Graph.
package enum EndpointRole: Sendable, Hashable, CaseIterable {
  case authorize, token, deviceCode, deviceLogin, signOut, instanceDiscovery, metadata, keys, userInfo, signInPage,
    graph
  case other

  /// Classifies a URL by its host and path.
  /// - Parameters:
  ///   - host: The host name in lowercase.
  ///   - path: The path without the query.
  ///   - isBearer: Whether the request contains an access token.
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

  /// The short name of the endpoint.
  package var name: String { record.text("title") }

  /// The purpose of requests to the endpoint, in full sentences.
  package var purpose: String { record.text("purpose") }

  private var record: DataRecord { Self.records["\(self)"] ?? DataRecord() }

  private static let records = DataRecord.byName(EmbeddedData.text("endpoints.txt"))
}
