import Directory
import Documents
import Effects
import GraphEmulator
import IdentityPlatform
import OAuth
import OrderedCollections

/// `/{tenant}/v2.0/.well-known/openid-configuration`: the provider metadata (OpenID Connect Discovery §4).
enum DiscoveryEndpoint {
  static func response(
    to exchange: EmulatorRequest, _ platform: Platform, realm: Realm, isVersion1: Bool
  ) -> ResponseMessage {
    let misbehaviors = platform.withState { $0.misbehaviors }
    guard misbehaviors.isEmpty else {
      return ResponseBuilder.metadata(
        document(exchange, platform, realm: realm, isVersion1: isVersion1, misbehaviors), to: exchange)
    }
    let name = ["discovery", exchange.base, realm.prefix, "\(realm.kind)", String(isVersion1)]
    let bytes = platform.keys.documents.document(name) {
      document(exchange, platform, realm: realm, isVersion1: isVersion1, misbehaviors).utf8(sortedKeys: false)
    }
    return ResponseBuilder.metadata(bytes, to: exchange)
  }

  private static func document(
    _ exchange: EmulatorRequest, _ platform: Platform, realm: Realm, isVersion1: Bool,
    _ misbehaviors: OrderedSet<Misbehavior>
  ) -> JSON {
    var base = exchange.base
    // Endpoint URLs use the requested host, which can be an alias. The issuer uses the cloud's preferred host.
    let tokenIssuer = TokenIssuer(platform: platform, exchange: exchange)
    var issuer =
      switch realm.kind {
      case .common, .organizations: multiTenantIssuer(exchange)
      case .consumers: tokenIssuer.issuer(tenantID: Tenant.personalID, policy: nil)
      case .tenant(let id): tokenIssuer.issuer(tenantID: id, policy: realm.policy)
      }
    if isVersion1, realm.policy == nil { issuer = TokenIssuer.version1Issuer(tenantID: realm.tenantID ?? "{tenantid}") }
    if misbehaviors.contains(.wrongMetadataIssuer) { issuer = "\(TokenMisbehavior.otherProvider)/v2.0" }
    base += realm.prefix
    if misbehaviors.contains(.movedEndpoints) { base += "/\(RealmEndpoints.movedPrefix)" }
    let version = isVersion1 ? "" : "/v2.0"
    let graph = exchange.graphBase
    var members: OrderedDictionary<String, JSON> = [
      "token_endpoint": .string("\(base)/oauth2\(version)/token"),
      "token_endpoint_auth_methods_supported": ["client_secret_post", "private_key_jwt", "client_secret_basic"],
      "jwks_uri": .string("\(base)/discovery\(version)/keys"),
      "response_modes_supported": ["query", "fragment", "form_post"], "subject_types_supported": ["pairwise"],
      "id_token_signing_alg_values_supported": ["RS256"],
      "response_types_supported": ["code", "id_token", "code id_token", "id_token token"],
      "scopes_supported": ["openid", "profile", "email", "offline_access"], "issuer": .string(issuer),
      "request_uri_parameter_supported": false,
      "userinfo_endpoint": .string(realm.policy == nil ? "\(graph)/oidc/userinfo" : "\(base)/openid/v2.0/userinfo"),
      "authorization_endpoint": .string("\(base)/oauth2\(version)/authorize"),
      "device_authorization_endpoint": .string("\(base)/oauth2\(version)/devicecode"), "http_logout_supported": true,
      "frontchannel_logout_supported": true, "end_session_endpoint": .string("\(base)/oauth2\(version)/logout"),
      "claims_supported": [
        "sub", "iss", "cloud_instance_name", "cloud_instance_host_name", "cloud_graph_host_name", "msgraph_host", "aud",
        "exp", "iat", "auth_time", "acr", "nonce", "preferred_username", "name", "tid", "ver", "at_hash", "c_hash",
        "email",
      ],
    ]
    if realm.policy == nil {
      let cloud = exchange.cloud
      members["kerberos_endpoint"] = .string("\(base)/kerberos")
      members["tenant_region_scope"] = realm.kind == .common || realm.kind == .organizations ? nil : "WW"
      members["cloud_instance_name"] = .string(cloud.discoveryName)
      members["cloud_graph_host_name"] = cloud == .public ? "graph.windows.net" : .string(cloud.graphHost ?? "")
      members["msgraph_host"] = .string(cloud.graphHost ?? "graph.microsoft.com")
      members["rbac_url"] = "https://pas.windows.net"
      if realm.kind == .common || realm.kind == .organizations { members["tenant_region_scope"] = .some(.null) }
    } else {
      members["claims_supported"] = [
        "name", "emails", "oid", "given_name", "family_name", "sub", "tfp", "iss", "iat", "exp", "aud", "acr", "nonce",
        "auth_time",
      ]
      members["device_authorization_endpoint"] = nil
    }
    if realm.policy != nil { members["check_session_iframe"] = .string("\(base)/oauth2/v2.0/checksession") }
    if isVersion1, realm.policy == nil { convertToVersion1(&members, base: base) }
    misbehave(&members, misbehaviors)
    return .object(members)
  }

  /// Converts the metadata to the format of the v1.0 document.
  private static func convertToVersion1(_ members: inout OrderedDictionary<String, JSON>, base: String) {
    members["microsoft_multi_refresh_token"] = true
    members["check_session_iframe"] = .string("\(base)/oauth2/checksession")
    members["userinfo_endpoint"] = .string("\(base)/openid/userinfo")
    members["scopes_supported"] = ["openid"]
    members["response_types_supported"] = ["code", "id_token", "code id_token", "token id_token", "token"]
    members["claims_supported"] = [
      "sub", "iss", "cloud_instance_name", "cloud_instance_host_name", "cloud_graph_host_name", "msgraph_host", "aud",
      "exp", "iat", "auth_time", "acr", "amr", "nonce", "email", "given_name", "family_name", "nickname",
    ]
  }

  private static func misbehave(
    _ members: inout OrderedDictionary<String, JSON>, _ misbehaviors: OrderedSet<Misbehavior>
  ) {
    if misbehaviors.contains(.incompleteMetadata) { members["token_endpoint"] = nil }
    if misbehaviors.contains(.insecureEndpoints) {
      for name in ["authorization_endpoint", "token_endpoint", "jwks_uri"] {
        guard let url = members[name]?.string, url.hasPrefix("https:") else { continue }
        members[name] = .string("http" + url.dropFirst(5))
      }
    }
    if misbehaviors.contains(.plainChallengeOnly) { members["code_challenge_methods_supported"] = ["plain"] }
    if misbehaviors.contains(.ellipticSignature) { members["id_token_signing_alg_values_supported"] = ["ES256"] }
    if misbehaviors.contains(.announcedIssuer) || misbehaviors.contains(.missingResponseIssuer) {
      members["authorization_response_iss_parameter_supported"] = true
    }
  }

  /// Returns the issuer for multitenant endpoints, with a literal `{tenantid}`.
  private static func multiTenantIssuer(_ exchange: EmulatorRequest) -> String {
    if case .login(let cloud) = HostKind(exchange.host) { return "https://\(cloud.preferredNetwork)/{tenantid}/v2.0" }
    return "\(exchange.base)/{tenantid}/v2.0"
  }
}

extension EmulatorRequest {
  /// The host's cloud, or the public cloud for an emulator server.
  var cloud: Cloud {
    switch HostKind(host) {
    case .login(let cloud), .graph(let cloud): cloud
    default: .public
    }
  }

  /// The base URL of Graph for clients of this host.
  var graphBase: String {
    switch HostKind(host) {
    case .login(let cloud), .graph(let cloud): "https://\(cloud.graphHost ?? "graph.microsoft.com")"
    case .b2c, .external, .devicePage: "https://graph.microsoft.com"
    case nil: base
    }
  }

  /// The base URL of the sign-in endpoints for clients of this host.
  var loginBase: String {
    switch HostKind(host) {
    case .login(let cloud), .graph(let cloud): "https://\(cloud.preferredNetwork)"
    case .b2c, .external: base
    case .devicePage: "https://login.microsoftonline.com"
    case nil: base
    }
  }
}
