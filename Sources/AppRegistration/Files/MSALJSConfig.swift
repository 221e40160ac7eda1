import Diagnostics
import Documents
import IdentityPlatform

/// A configuration of msal.js written as JSON, as far as it says what settings say.
package struct MSALJSConfig: Sendable {
  package var clientID: Positioned<String>?
  package var authority: Positioned<String>?
  package var knownAuthorities: Positioned<[Positioned<String>]>?
  package var redirectURI: Positioned<String>?
  package var postLogoutRedirectURI: Positioned<String>?
  package var clientCapabilities: Positioned<[Positioned<String>]>?
  package var protocolMode: Positioned<String>?
  package var cacheLocation: Positioned<String>?
  /// `auth.clientSecret`.
  package var clientSecret: Positioned<String>?
  /// Whether it gives metadata of its own, so that nothing is asked of the authority.
  package var hasOwnMetadata = false
  /// Whether something stands in it that only a browser needs.
  package var isForBrowsers = false
  /// Everything under `auth`.
  package var auth: Node?
  /// The tenant, where it stands in place of an authority: `credentials.tenantId` of Microsoft's sample for Angular.
  package var tenantID: Positioned<String>?

  package init() {}

  private static let fields: Fields<MSALJSConfig> = {
    let text = Codec<String>.text(filling: Definitions.none.leavingReferences)
    return Fields("the auth section of msal.js", unknownKeys: .foreign, readKeys(text) + passedOver)
  }()

  private static func readKeys(_ text: Codec<String>) -> [Field<MSALJSConfig>] {
    [
      Field("clientId", text.located, into: \.clientID, "the application (client) id"),
      Field("authority", text.located, into: \.authority, "who issues the tokens"),
      Field(
        "knownAuthorities", Codec<[Positioned<String>]>.list(of: text.located).located, into: \.knownAuthorities,
        "hosts that are believed without asking Microsoft"),
      Field("redirectUri", text.located, into: \.redirectURI, "where the answer comes back"),
      Field("postLogoutRedirectUri", schema: true, "where the browser goes after sign-out") { node, config, problems in
        // Null turns the redirect off.
        if node.kind == .string { config.postLogoutRedirectURI = text.located.read(node, &problems) }
      },
      Field(
        "clientCapabilities", Codec<[Positioned<String>]>.list(of: text.located).located, into: \.clientCapabilities,
        "what the app can do: CP1 for claims challenges"),
      Field("protocolMode", text.located, into: \.protocolMode, "AAD, OIDC or EAR"),
      Field("clientSecret", schema: true, "a confidential client's secret") { _, _, _ in },
    ]
  }

  private static let passedOver: [Field<MSALJSConfig>] = [
    "cloudDiscoveryMetadata", "authorityMetadata", "navigateToLoginRequestUrl", "azureCloudOptions", "OIDCOptions",
    "skipAuthorityMetadataCache", "supportsNestedAppAuth", "onRedirectNavigate", "instanceAware", "clientAssertion",
    "clientCertificate", "validateAuthority", "encodeExtraQueryParams", "tenantId", "scopes", "isMCP",
    "cloudInstance", "instance",
  ].map { key in Field(key, schema: true, "read by msal.js alone") { _, _, _ in } }

  /// The configuration in a document: the root, or what stands under one of its keys (`msalConfig`); nil where there is none.
  package static func node(in root: Node) -> Node? {
    if isOne(root) { return root }
    for (_, value) in root.entries where value.kind == .mapping && isOne(value) { return value }
    return nil
  }

  /// Whether `auth.clientId` is msal.js's, and not that of another library with the same key.
  private static func isOne(_ node: Node) -> Bool {
    if isSamples(node) { return true }
    guard let auth = node["auth"], let clientID = auth["clientId"]?.string else { return false }
    let authority = auth["authority"]?.string
    let addresses = ["authority", "cloudInstance", "instance"].compactMap { auth[$0]?.string }
    if addresses.contains(where: { URLParts($0)?.host.map { Authority.isMicrosofts(host: $0) } == true }) {
      return true
    }
    let keys = Set(auth.entries.compactMap(\.key.string))
    guard keys.isDisjoint(with: foreignKeys) else { return false }
    if !keys.isDisjoint(with: ownKeys) { return true }
    if let cache = node["cache"], !Set(cache.entries.compactMap(\.key.string)).isDisjoint(with: cacheKeys) {
      return true
    }
    // What is left is common to many; a GUID beside what msal.js needs is hers.
    let isItsOwn = GUIDText.isWellFormed(clientID) || TemplatePlaceholder.find(in: clientID) != nil
    return isItsOwn && keys.isSubset(of: ["clientId", "authority", "redirectUri", "clientSecret", "tenantId"])
      && (authority != nil || !keys.isDisjoint(with: ["redirectUri", "clientSecret"])
        || keys.count == 1 && node.count == 1)
  }

  /// Whether it is in the form of Microsoft's samples for Angular, `auth-config.json`, of which the app makes msal.js's own.
  private static func isSamples(_ node: Node) -> Bool {
    guard let clientID = node["credentials"]?["clientId"]?.string, let configuration = node["configuration"] else {
      return false
    }
    return (GUIDText.isWellFormed(clientID) || TemplatePlaceholder.find(in: clientID) != nil)
      && (configuration["redirectUri"]?.string ?? configuration["postLogoutRedirectUri"]?.string) != nil
  }

  private static let ownKeys: Set<String> = [
    "knownAuthorities", "cloudDiscoveryMetadata", "authorityMetadata", "navigateToLoginRequestUrl", "protocolMode",
    "azureCloudOptions", "skipAuthorityMetadataCache", "supportsNestedAppAuth", "OIDCOptions", "instanceAware",
    "clientCapabilities",
  ]
  private static let browserKeys: Set<String> = [
    "navigateToLoginRequestUrl", "postLogoutRedirectUri", "supportsNestedAppAuth", "onRedirectNavigate",
  ]
  private static let cacheKeys: Set<String> = [
    "storeAuthStateInCookie", "temporaryCacheLocation", "secureCookies", "claimsBasedCachingEnabled",
    "cacheMigrationEnabled", "cacheLocation",
  ]
  /// Keys of Auth0, Okta, Cognito, Keycloak and their like.
  private static let foreignKeys: Set<String> = [
    "domain", "issuer", "audience", "userPoolId", "region", "realm", "discoveryDocument", "providers", "tokenEndpoint",
  ]

  /// Reads the configuration that a document holds.
  package static func read(_ root: Node, _ problems: inout DiagnosticCollector) -> MSALJSConfig {
    var config = MSALJSConfig()
    guard let node = node(in: root) else { return config }
    guard let auth = node["auth"] else {
      config.readSamples(node, &problems)
      return config
    }
    _ = fields.read(auth, into: &config, &problems)
    config.auth = auth
    let keys = Set(auth.entries.compactMap(\.key.string))
    config.hasOwnMetadata = keys.contains("authorityMetadata") || keys.contains("cloudDiscoveryMetadata")
    if let location = node["cache"]?["cacheLocation"], let text = location.string {
      config.cacheLocation = Positioned(text, at: location.place)
    }
    config.isForBrowsers =
      !keys.isDisjoint(with: browserKeys) || node["cache"]?["cacheLocation"] != nil
      || node["cache"]?["storeAuthStateInCookie"] != nil
    if let secret = auth.entry("clientSecret"), let text = secret.value.string, !text.isEmpty {
      config.clientSecret = Positioned(text, at: secret.value.place)
    }
    return config
  }

  private mutating func readSamples(_ node: Node, _ problems: inout DiagnosticCollector) {
    let text = Codec<String>.text(filling: Definitions.none.leavingReferences).located
    func value(_ part: String, _ key: String) -> Positioned<String>? {
      guard let value = node[part]?[key], value.kind == .string else { return nil }
      return text.read(value, &problems)
    }
    clientID = value("credentials", "clientId")
    tenantID = value("credentials", "tenantId")
    authority = value("credentials", "authority") ?? value("configuration", "authority")
    redirectURI = value("configuration", "redirectUri")
    postLogoutRedirectURI = value("configuration", "postLogoutRedirectUri")
    isForBrowsers = true
  }

  /// Whether nothing tells it where tokens come from but Azure AD B2C.
  package var isB2C: Bool { authority.flatMap { URLParts($0.value)?.host }.map(Authority.hasB2CHost) ?? false }

  /// The settings that it amounts to.
  func settings() -> AppSettings {
    var settings = AppSettings()
    settings.appIDKey = "clientId"
    settings.appID = clientID
    settings.authority = authority
    if authority == nil { settings.tenantID = tenantID }
    settings.clientCapabilities = clientCapabilities
    if let redirectURI, redirectURI.value.contains("://") {
      settings.redirectURI = redirectURI
      // A browser's redirect URI is held to no bundle id.
      settings.bypassRedirectURIValidation = Positioned(true, at: redirectURI.place)
    }
    if protocolMode?.value.uppercased() == "OIDC", let place = protocolMode?.place {
      settings.authorityType = Positioned(.oidc, at: place)
    }
    if isB2C { settings.validateAuthority = authority.map { Positioned(false, at: $0.place) } }
    return settings
  }
}
