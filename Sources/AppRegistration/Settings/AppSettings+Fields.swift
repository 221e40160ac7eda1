import Documents
import IdentityPlatform
import RunTrace

extension AppSettings {
  /// The keys of a settings file, from which authflow derives the decoder, the JSON Schema, and the reference.
  package static let fields = fields(filling: .none)

  /// Returns the same keys, with references to build settings resolved.
  package static func fields(filling definitions: Definitions) -> Fields<AppSettings> {
    let text = Codec<String>.text(filling: definitions)
    return Fields(
      "the settings", matching: .ignoringCase, unknownKeys: .foreign, identity(text) + redirect(text) + behavior(text))
  }

  private static func identity(_ text: Codec<String>) -> [Field<AppSettings>] {
    [
      Field(
        "AppId", text.located, into: { $0.appID = $1 },
        aliases: ["ClientId", "aadClientId", "client_id", "ApplicationId", "MSALClientId", "ida:ClientId"],
        required: true,
        "application (client) ID of the app registration; a GUID for Microsoft authorities"),
      Field(
        "GraphScopes", Codec<[Positioned<String>]>.separatedStrings(text).located, into: { $0.scopes = $1 },
        aliases: ["Scopes", "aadScopes", "graph_scopes", "GraphUserScopes", "Scope"], default: ["User.Read"],
        "requested scopes, such as `User.Read`, a full URI, or `<resource>/.default`"),
      Field(
        "Authority", text.located, into: { $0.authority = $1 },
        aliases: ["aadAuthority", "authority_url", "AuthorityUrl", "MSALAuthority", "ida:Authority"],
        default: .string(WellKnown.defaultAuthority), "URL of the authority that issues tokens"),
      Field(
        "AuthorityType",
        Codec<Authority.Kind>.word(text, among: Authority.Kind.allCases.map(\.rawValue)) {
          Authority.Kind(rawValue: $0.lowercased())
        }.located, into: { $0.authorityType = $1 }, aliases: ["authority_type"],
        "authority type, if the URL does not identify it: `b2c` or `ciam` for custom domains, `oidc` for other issuers"
      ),
      Field(
        "Cloud", Codec<Cloud>.word(text, among: Cloud.allCases.map(\.rawValue)) { Cloud(named: $0) }.located,
        into: { $0.cloud = $1 }, aliases: ["AzureCloudInstance", "aadCloud"], default: "public",
        "national cloud; replaces `Authority`"),
      Field(
        "TenantId", text.located, into: { $0.tenantID = $1 },
        aliases: ["aadTenantId", "tenant_id", "Tenant", "DirectoryId", "authTenant", "ida:Tenant", "ida:TenantId"],
        "tenant ID or domain; used with `Cloud`, or overrides the tenant in `Authority`"),
      Field(
        "Audience",
        Codec<Audience>.word(text, among: Audience.allCases.map(\.rawValue)) { Audience(named: $0) }.located,
        into: { $0.audience = $1 }, aliases: ["AadAuthorityAudience", "signInAudience"],
        "accounts that can sign in; replaces `Authority`"),
      Field(
        "KnownAuthorities", Codec<[Positioned<String>]>.list(of: text.located).located,
        into: { $0.knownAuthorities = $1 },
        aliases: ["known_authorities"],
        "URLs of authorities (including tenant or policy) that MSAL trusts without instance discovery; required for B2C and "
          + "custom domains"
      ),
      Field(
        "ValidateAuthority", Codec<Bool>.bool.located, into: { $0.validateAuthority = $1 }, default: true,
        "whether MSAL validates the authority's host with instance discovery"),
      Field(
        "MultipleCloudsSupported", Codec<Bool>.bool.located, into: { $0.multipleCloudsSupported = $1 },
        aliases: ["multiple_clouds_supported"], default: false,
        "whether accounts from other national clouds can sign in"),
    ]
  }

  private static func redirect(_ text: Codec<String>) -> [Field<AppSettings>] {
    [
      Field(
        "Platform",
        Codec<ApplePlatform>.word(text, among: ApplePlatform.allCases.map(\.rawValue)) {
          ApplePlatform(named: $0)
        }.located, into: { $0.platform = $1 }, default: "macOS",
        "platform whose rules for redirect URIs and Info.plist apply"),
      Field(
        "BundleId", text.located, into: { $0.bundleID = $1 }, aliases: ["BundleIdentifier", "bundle_id"],
        "bundle ID of the app, from which MSAL derives its default redirect URI"),
      Field(
        "InfoPlist", schema: ["anyOf": [["type": "string"], ["type": "object"]]], aliases: ["info_plist"],
        "path of the app's Info.plist relative to this file, or a mapping of its keys: bundle ID, version, and URL schemes"
      ) { node, settings, problems in
        if node.kind == .mapping {
          settings.infoPlistContents = node
        } else if let path = text.located.read(node, &problems) {
          settings.infoPlist = path
        }
      },
      Field(
        "AppVersion", text.located, into: { $0.appVersion = $1 }, aliases: ["CFBundleVersion"],
        "version of the app, sent as `x-app-ver`; by default, `CFBundleVersion` from the Info.plist"),
      Field(
        "RedirectUri", text.located, into: { $0.redirectURI = $1 },
        aliases: ["RedirectURL", "aadRedirectURI", "redirect_uri", "MSALRedirectUri", "ida:RedirectUri"],
        "redirect URI; by default, derived from `RedirectScheme` or MSAL's default for the platform"),
      Field(
        "RedirectScheme", text.located, into: { $0.redirectScheme = $1 }, aliases: ["redirect_scheme"],
        "scheme of the redirect URI `<scheme>://auth`"),
      Field(
        "BypassRedirectURIValidation", Codec<Bool>.bool.located, into: { $0.bypassRedirectURIValidation = $1 },
        default: false,
        "whether to skip validation of the redirect URI, which disables brokers"),
      Field(
        "BrokerAvailability",
        Codec<RedirectVerification.BrokerAvailability>.word(text, among: ["auto", "none"]) {
          RedirectVerification.BrokerAvailability(rawValue: $0.lowercased())
        }.located, into: { $0.brokerAvailability = $1 }, aliases: ["BrokeredAvailability"], default: "auto",
        "whether MSAL can use a broker; `none` does not require `LSApplicationQueriesSchemes`"),
      Field(
        "NestedAuthBrokerClientId", text.located, into: { $0.nestedAuthBrokerClientID = $1 },
        "client ID of the host app for nested authentication"),
      Field(
        "NestedAuthBrokerRedirectUri", text.located, into: { $0.nestedAuthBrokerRedirectURI = $1 },
        "redirect URI of the host app for nested authentication"),
    ]
  }

  private static func behavior(_ text: Codec<String>) -> [Field<AppSettings>] {
    [
      Field(
        "ExtendedLifetimeEnabled", Codec<Bool>.bool.located, into: { $0.extendedLifetimeEnabled = $1 }, default: false,
        "whether MSAL can use access tokens beyond their normal lifetime during a service outage"),
      Field(
        "TokenExpirationBuffer", Codec<Double>.seconds.located, into: { $0.tokenExpirationBuffer = $1 }, default: 300,
        "time before expiration at which an access token counts as expired, in seconds or as a duration such as `5m`"),
      Field(
        "ClientCapabilities", Codec<[Positioned<String>]>.separatedStrings(text).located,
        into: { $0.clientCapabilities = $1 },
        aliases: ["ClientApplicationCapabilities", "client_capabilities"], default: [],
        "client capabilities, such as `CP1` for claims challenges"),
      Field(
        "ExtraQueryParameters", Codec.map(of: text).located, into: { $0.extraQueryParameters = $1 },
        aliases: ["extra_query_parameters"], default: [:], "query parameters for every request"),
      Field(
        "Slice", Codec.record(Self.sliceFields(text), empty: Slice()).located, into: { $0.slice = $1 },
        aliases: ["SliceConfig"],
        "`slice` and `dc`, which select a test slice of the service"),
      Field(
        "KeychainGroup", text.located, into: { $0.keychainGroup = $1 },
        aliases: ["KeychainSharingGroup", "keychain_group"],
        "keychain group of the shared token cache; by default, MSAL's group for the platform"),
      Field(
        "GraphEndpoint", text.located, into: { $0.graphEndpoint = $1 },
        aliases: ["GraphBaseUrl", "GraphURL", "graph_endpoint"],
        "base URL for `callGraph`; by default, the Microsoft Graph endpoint of the authority's cloud"),
      Field(
        "WebviewType",
        Codec<WebviewType>.word(text, among: WebviewType.allCases.map(\.rawValue)) { word in
          WebviewType.allCases.first { $0.rawValue.lowercased() == word.lowercased() }
        }.located, into: { $0.webviewType = $1 }, default: "default", "component that shows the sign-in page"),
      Field(
        "AccountMode",
        Codec<AccountMode>.word(text, among: AccountMode.allCases.map(\.rawValue)) {
          AccountMode(rawValue: $0.lowercased())
        }.located, into: { $0.accountMode = $1 }, aliases: ["account_mode"], default: "multiple",
        "number of accounts that the app supports at the same time"),
      Field(
        "TelemetryEnabled", Codec<Bool>.bool.located, into: { $0.telemetryEnabled = $1 }, aliases: ["Telemetry"],
        default: true,
        "whether MSAL sends telemetry headers with token requests"),
      Field(
        "TestServerClientSecret", Codec<Secret>.clientSecret(text).located, into: { $0.testServerClientSecret = $1 },
        "client secret for public test servers that require one; never sent to Microsoft and always masked"
      ),
    ]
  }

  private static func sliceFields(_ text: Codec<String>) -> Fields<Slice> {
    Fields(
      "a slice", matching: .ignoringCase,
      [
        Field("slice", text, into: { $0.slice = $1 }, "name of the slice"),
        Field("dc", text, into: { $0.dataCenter = $1 }, "name of the data center"),
      ])
  }
}

extension AppSettings {
  /// The JSON Schema (2020-12) of a settings file.
  package static var schema: JSON { fields.schema }
}
