import Documents
import IdentityPlatform
import RunTrace

extension AppSettings {
  /// The keys of a settings file. The decoder, the JSON Schema and the reference are all read from these lines.
  package static let fields = fields(filling: .none)

  /// The same keys, with build-setting references filled in on the way.
  package static func fields(filling definitions: Definitions) -> Fields<AppSettings> {
    let text = Codec<String>.text(filling: definitions)
    return Fields(
      "the settings", matching: .ignoringCase, unknownKeys: .foreign, identity(text) + redirect(text) + behavior(text))
  }

  private static func identity(_ text: Codec<String>) -> [Field<AppSettings>] {
    [
      Field(
        "AppId", text.located, into: \.appID,
        aliases: ["ClientId", "aadClientId", "client_id", "ApplicationId", "MSALClientId", "ida:ClientId"],
        required: true,
        "the application (client) id of the app registration; a GUID where the authority is Microsoft's"),
      Field(
        "GraphScopes", Codec<[Positioned<String>]>.words(text).located, into: \.scopes,
        aliases: ["Scopes", "aadScopes", "graph_scopes", "GraphUserScopes", "Scope"], default: ["User.Read"],
        "the permissions to ask for: User.Read, a full URI, or <resource>/.default"),
      Field(
        "Authority", text.located, into: \.authority,
        aliases: ["aadAuthority", "authority_url", "AuthorityUrl", "MSALAuthority", "ida:Authority"],
        default: .string(WellKnown.defaultAuthority), "who issues the tokens, as a URL"),
      Field(
        "AuthorityType",
        Codec<Authority.Kind>.word(text, among: Authority.Kind.allCases.map(\.rawValue)) {
          Authority.Kind(rawValue: $0.lowercased())
        }.located, into: \.authorityType, aliases: ["authority_type"],
        "the kind of authority where the URL does not show it: b2c or ciam on a host of their own, oidc for any other issuer"
      ),
      Field(
        "Cloud", Codec<Cloud>.word(text, among: Cloud.allCases.map(\.rawValue)) { Cloud(named: $0) }.located,
        into: \.cloud, aliases: ["AzureCloudInstance", "aadCloud"], default: "public",
        "the national cloud, in place of Authority"),
      Field(
        "TenantId", text.located, into: \.tenantID,
        aliases: ["aadTenantId", "tenant_id", "Tenant", "DirectoryId", "authTenant", "ida:Tenant", "ida:TenantId"],
        "a tenant id or domain: together with Cloud, or in place of the tenant that Authority names"),
      Field(
        "Audience",
        Codec<Audience>.word(text, among: Audience.allCases.map(\.rawValue)) { Audience(named: $0) }.located,
        into: \.audience, aliases: ["AadAuthorityAudience", "signInAudience"],
        "whose accounts may sign in, in place of Authority"),
      Field(
        "KnownAuthorities", Codec<[Positioned<String>]>.list(of: text.located).located, into: \.knownAuthorities,
        aliases: ["known_authorities"],
        "authorities (whole URLs, tenant or policy included) that MSAL uses even if Microsoft's discovery service "
          + "does not know their host; required for B2C and hosts of your own"
      ),
      Field(
        "ValidateAuthority", Codec<Bool>.bool.located, into: \.validateAuthority, default: true,
        "whether the authority's host must be known to Microsoft's discovery service"),
      Field(
        "MultipleCloudsSupported", Codec<Bool>.bool.located, into: \.multipleCloudsSupported,
        aliases: ["multiple_clouds_supported"], default: false,
        "whether accounts of other national clouds may sign in"),
    ]
  }

  private static func redirect(_ text: Codec<String>) -> [Field<AppSettings>] {
    [
      Field(
        "Platform",
        Codec<ApplePlatform>.word(text, among: ApplePlatform.allCases.map(\.rawValue)) {
          ApplePlatform(named: $0)
        }.located, into: \.platform, default: "macOS", "whose redirect and Info.plist rules apply"),
      Field(
        "BundleId", text.located, into: \.bundleID, aliases: ["BundleIdentifier", "bundle_id"],
        "the app's bundle id, of which MSAL makes its default redirect URI"),
      Field(
        "InfoPlist", text.located, into: \.infoPlist, aliases: ["info_plist"],
        "path of the app's Info.plist, relative to this file: bundle id, version and registered schemes are read there"
      ),
      Field(
        "AppVersion", text.located, into: \.appVersion, aliases: ["CFBundleVersion"],
        "the app's version, sent as x-app-ver; the Info.plist's CFBundleVersion by default"),
      Field(
        "RedirectUri", text.located, into: \.redirectURI,
        aliases: ["RedirectURL", "aadRedirectURI", "redirect_uri", "MSALRedirectUri", "ida:RedirectUri"],
        "where the answer comes back; MSAL's default for the platform where neither this nor RedirectScheme is given"),
      Field(
        "RedirectScheme", text.located, into: \.redirectScheme, aliases: ["redirect_scheme"],
        "the scheme alone: the redirect URI is then <scheme>://auth"),
      Field(
        "BypassRedirectURIValidation", Codec<Bool>.bool.located, into: \.bypassRedirectURIValidation, default: false,
        "leaves the redirect URI unchecked; no broker is used then"),
      Field(
        "BrokerAvailability",
        Codec<RedirectVerification.BrokerAvailability>.word(text, among: ["auto", "none"]) {
          RedirectVerification.BrokerAvailability(rawValue: $0.lowercased())
        }.located, into: \.brokerAvailability, aliases: ["BrokeredAvailability"], default: "auto",
        "whether a broker may be used at all; none asks for no LSApplicationQueriesSchemes"),
      Field(
        "NestedAuthBrokerClientId", text.located, into: \.nestedAuthBrokerClientID,
        "the client id of the app that this one is nested in"),
      Field(
        "NestedAuthBrokerRedirectUri", text.located, into: \.nestedAuthBrokerRedirectURI,
        "the redirect URI of the app that this one is nested in"),
    ]
  }

  private static func behavior(_ text: Codec<String>) -> [Field<AppSettings>] {
    [
      Field(
        "ExtendedLifetimeEnabled", Codec<Bool>.bool.located, into: \.extendedLifetimeEnabled, default: false,
        "whether tokens may be used longer while the service is down"),
      Field(
        "TokenExpirationBuffer", Codec<Double>.seconds.located, into: \.tokenExpirationBuffer, default: 300,
        "how long before its end an access token counts as expired: seconds, or a duration such as 5m"),
      Field(
        "ClientCapabilities", Codec<[Positioned<String>]>.words(text).located, into: \.clientCapabilities,
        aliases: ["ClientApplicationCapabilities", "client_capabilities"], default: [],
        "what the app can do, told to the service: CP1 for claims challenges"),
      Field(
        "ExtraQueryParameters", Codec.map(of: text).located, into: \.extraQueryParameters,
        aliases: ["extra_query_parameters"], default: [:], "parameters added to every request"),
      Field(
        "Slice", Codec.record(Self.sliceFields(text), empty: Slice()).located, into: \.slice, aliases: ["SliceConfig"],
        "slice and dc of a test slice of the service"),
      Field(
        "KeychainGroup", text.located, into: \.keychainGroup,
        aliases: ["KeychainSharingGroup", "keychain_group"],
        "names the token cache that apps share; MSAL's own group for the platform by default"),
      Field(
        "GraphEndpoint", text.located, into: \.graphEndpoint, aliases: ["GraphBaseUrl", "GraphURL", "graph_endpoint"],
        "where callGraph goes; the Graph of the authority's cloud by default"),
      Field(
        "WebviewType",
        Codec<WebviewType>.word(text, among: WebviewType.allCases.map(\.rawValue)) { word in
          WebviewType.allCases.first { $0.rawValue.lowercased() == word.lowercased() }
        }.located, into: \.webviewType, default: "default", "what shows the sign-in page"),
      Field(
        "AccountMode",
        Codec<AccountMode>.word(text, among: AccountMode.allCases.map(\.rawValue)) {
          AccountMode(rawValue: $0.lowercased())
        }.located, into: \.accountMode, aliases: ["account_mode"], default: "multiple",
        "how many accounts the app works with at a time"),
      Field(
        "TelemetryEnabled", Codec<Bool>.bool.located, into: \.telemetryEnabled, aliases: ["Telemetry"], default: true,
        "whether MSAL's telemetry headers go along with token requests"),
      Field(
        "TestServerClientSecret", Codec<Secret>.clientSecret(text).located, into: \.testServerClientSecret,
        "a client secret for public test servers that want one from everybody; never sent to Microsoft, always masked"
      ),
    ]
  }

  private static func sliceFields(_ text: Codec<String>) -> Fields<Slice> {
    Fields(
      "a slice", matching: .ignoringCase,
      [
        Field("slice", text, into: \.slice, "the slice's name"),
        Field("dc", text, into: \.dataCenter, "the data center's name"),
      ])
  }
}

extension AppSettings {
  /// The JSON Schema (2020-12) of a settings file.
  package static var schema: JSON { fields.schema }
}
