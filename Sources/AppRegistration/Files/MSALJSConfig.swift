import Diagnostics
import Documents
import Effects
import IdentityPlatform

/// An MSAL.js configuration in JSON, limited to the keys that affect settings and rules.
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
  /// Whether the configuration contains authority metadata, so that MSAL.js does not request it.
  package var hasOwnMetadata = false
  /// Whether the configuration contains a key that MSAL.js uses only in browsers.
  package var isForBrowsers = false
  /// The `auth` section.
  package var auth: Node?
  /// The tenant if there is no authority: `credentials.tenantId` in Microsoft's Angular samples.
  package var tenantID: Positioned<String>?

  package init() {}

  private static let fields: Fields<MSALJSConfig> = {
    let text = Codec<String>.text(filling: Definitions.none.preservingReferences)
    return Fields("the `auth` section of an MSAL.js configuration", unknownKeys: .foreign, readKeys(text) + passedOver)
  }()

  private static func readKeys(_ text: Codec<String>) -> [Field<MSALJSConfig>] {
    [
      Field("clientId", text.located, into: { $0.clientID = $1 }, "application (client) ID"),
      Field("authority", text.located, into: { $0.authority = $1 }, "authority that issues tokens"),
      Field(
        "knownAuthorities", Codec<[Positioned<String>]>.list(of: text.located).located,
        into: { $0.knownAuthorities = $1 },
        "hosts trusted without instance discovery"),
      Field("redirectUri", text.located, into: { $0.redirectURI = $1 }, "redirect URI"),
      Field("postLogoutRedirectUri", schema: true, "redirect URI after sign-out") { node, config, problems in
        // Null disables the redirect.
        if node.kind == .string { config.postLogoutRedirectURI = text.located.read(node, &problems) }
      },
      Field(
        "clientCapabilities", Codec<[Positioned<String>]>.list(of: text.located).located,
        into: { $0.clientCapabilities = $1 },
        "client capabilities, such as `CP1` for claims challenges"),
      Field("protocolMode", text.located, into: { $0.protocolMode = $1 }, "`AAD`, `OIDC`, or `EAR`"),
      Field("clientSecret", schema: true, "client secret; only for confidential clients") { _, _, _ in },
    ]
  }

  private static let passedOver: [Field<MSALJSConfig>] = [
    "cloudDiscoveryMetadata", "authorityMetadata", "navigateToLoginRequestUrl", "azureCloudOptions", "OIDCOptions",
    "skipAuthorityMetadataCache", "supportsNestedAppAuth", "onRedirectNavigate", "instanceAware", "clientAssertion",
    "clientCertificate", "validateAuthority", "encodeExtraQueryParams", "tenantId", "scopes", "isMCP",
    "cloudInstance", "instance",
  ].map { key in Field(key, schema: true, "used by MSAL.js only") { _, _, _ in } }

  /// Returns the configuration in a document: the root, or the value of one of its keys (`msalConfig`). Returns nil if
  /// there is none.
  package static func node(in root: Node) -> Node? {
    if isOne(root) { return root }
    for (_, value) in root.entries where value.kind == .mapping && isOne(value) { return value }
    return nil
  }

  /// Whether `auth.clientId` belongs to MSAL.js and not to another library that uses the same key.
  private static func isOne(_ node: Node) -> Bool {
    if isSamples(node) { return true }
    guard let auth = node["auth"], let clientID = auth["clientId"]?.string else { return false }
    let authority = auth["authority"]?.string
    let addresses = ["authority", "cloudInstance", "instance"].compactMap { auth[$0]?.string }
    if addresses.contains(where: { URLReference(valid: $0)?.host.map { Authority.isMicrosofts(host: $0) } == true }) {
      return true
    }
    let keys = Set(auth.entries.compactMap(\.key.string))
    guard keys.isDisjoint(with: foreignKeys) else { return false }
    if !keys.isDisjoint(with: ownKeys) { return true }
    if let cache = node["cache"], !Set(cache.entries.compactMap(\.key.string)).isDisjoint(with: cacheKeys) {
      return true
    }
    // Many libraries use the remaining keys. A GUID or a placeholder next to MSAL.js keys identifies MSAL.js.
    let hasMSALClientID = GUIDText.isWellFormed(clientID) || TemplatePlaceholder.find(in: clientID) != nil
    return hasMSALClientID && keys.isSubset(of: ["clientId", "authority", "redirectUri", "clientSecret", "tenantId"])
      && (authority != nil || !keys.isDisjoint(with: ["redirectUri", "clientSecret"])
        || keys.count == 1 && node.count == 1)
  }

  /// Whether the node looks like `auth-config.json` in Microsoft's Angular samples, from which the app creates
  /// the configuration.
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
  /// Keys of Auth0, Okta, Cognito, Keycloak, and similar products.
  private static let foreignKeys: Set<String> = [
    "domain", "issuer", "audience", "userPoolId", "region", "realm", "discoveryDocument", "providers", "tokenEndpoint",
  ]

  /// Reads the configuration in a document.
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
    let text = Codec<String>.text(filling: Definitions.none.preservingReferences).located
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

  /// Whether the authority is an Azure AD B2C authority.
  package var isB2C: Bool {
    authority.flatMap { URLReference(valid: $0.value)?.host }.map(Authority.hasB2CHost) ?? false
  }

  /// Returns the equivalent settings.
  func settings() -> AppSettings {
    var settings = AppSettings()
    settings.appIDKey = "clientId"
    settings.appID = clientID
    settings.authority = authority
    if authority == nil { settings.tenantID = tenantID }
    settings.clientCapabilities = clientCapabilities
    if let redirectURI, redirectURI.value.contains("://") {
      settings.redirectURI = redirectURI
      // The redirect URI of a browser app does not depend on a bundle ID.
      settings.bypassRedirectURIValidation = Positioned(true, at: redirectURI.place)
    }
    if protocolMode?.value.uppercased() == "OIDC", let place = protocolMode?.place {
      settings.authorityType = Positioned(.oidc, at: place)
    }
    if isB2C { settings.validateAuthority = authority.map { Positioned(false, at: $0.place) } }
    return settings
  }
}
