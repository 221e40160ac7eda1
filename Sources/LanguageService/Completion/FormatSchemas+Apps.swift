import AppRegistration
import Documents
import OrderedCollections

// The schemas of files that belong to other programs. Only the keys that are relevant to sign-in are described.
extension FormatSchemas {
  private static func text(_ description: String, _ values: [JSON] = []) -> JSON {
    var schema: JSON = ["type": "string", "description": .string(description)]
    if !values.isEmpty { schema["enum"] = .array(values) }
    return schema
  }

  private static func flag(_ description: String, _ standard: Bool? = nil) -> JSON {
    var schema: JSON = ["type": "boolean", "description": .string(description)]
    if let standard { schema["default"] = .bool(standard) }
    return schema
  }

  private static func list(_ description: String, of element: JSON) -> JSON {
    ["type": "array", "items": element, "description": .string(description)]
  }

  private static func mapping(_ description: String, _ properties: JSON) -> JSON {
    ["type": "object", "properties": properties, "description": .string(description)]
  }

  // MARK: Android

  static let androidConfigSchema: JSON = {
    var schema = AndroidConfig.fields.schema
    let logging: JSON = [
      "pii_enabled": flag("whether logs contain personal data", false),
      "log_level": text("minimum level of log messages", ["ERROR", "WARNING", "INFO", "VERBOSE"]),
      "logcat_enabled": flag("whether messages are also written to Logcat", false),
    ]
    let http: JSON = [
      "connect_timeout": ["type": "integer", "description": "connection timeout in milliseconds"],
      "read_timeout": ["type": "integer", "description": "read timeout in milliseconds"],
    ]
    let values: [String: [JSON]] = [
      "account_mode": ["SINGLE", "MULTIPLE"], "authorization_user_agent": ["DEFAULT", "BROWSER", "WEBVIEW"],
      "environment": ["Production", "PreProduction"],
    ]
    var properties = schema["properties"]?.object ?? [:]
    for (key, values) in values { properties[key]?["enum"] = .array(values) }
    properties["logging"] = mapping("logging options", logging)
    properties["http"] = mapping("request timeouts", http)
    var authorities = properties["authorities"]?["items"]?["properties"]?.object ?? [:]
    authorities["type"]?["enum"] = ["AAD", "B2C", "ADFS", "CIAM"]
    var audience = authorities["audience"]?["properties"]?.object ?? [:]
    audience["type"]?["enum"] = [
      "AzureADMyOrg", "AzureADMultipleOrgs", "AzureADandPersonalMicrosoftAccount", "PersonalMicrosoftAccount",
    ]
    authorities["audience"]?["properties"] = .object(audience)
    if var items = properties["authorities"]?["items"] {
      items["properties"] = .object(authorities)
      properties["authorities"]?["items"] = items
    }
    schema["properties"] = .object(properties)
    return schema
  }()

  // MARK: Apple

  static let infoPlistSchema: JSON = mapping(
    "Info.plist",
    [
      "CFBundleIdentifier": text("app's bundle ID"),
      "CFBundleVersion": text("app version"),
      "CFBundleURLTypes": list(
        "URL types that open the app",
        of: mapping(
          "URL type",
          [
            "CFBundleURLSchemes": list("URL schemes that open the app", of: text("URL scheme")),
            "CFBundleURLName": text("name of the URL type"),
            "CFBundleTypeRole": text("app's role for the URL type", ["Editor", "Viewer", "Shell", "None"]),
          ])),
      "LSApplicationQueriesSchemes": list("URL schemes that the app can query", of: text("URL scheme")),
      "IntuneMAMSettings": mapping(
        "settings of the Intune App SDK",
        [
          "ADALClientId": text("application (client) ID"), "ADALAuthority": text("app's authority"),
          "ADALRedirectUri": text("redirect URI"), "ADALRedirectScheme": text("redirect URI scheme"),
        ]),
    ])

  // MARK: Web

  static let msalJSSchema: JSON = {
    let auth: JSON = [
      "clientId": text("application (client) ID"), "authority": text("authority that issues tokens"),
      "knownAuthorities": list("hosts trusted without instance discovery", of: text("host")),
      "redirectUri": text("redirect URI"), "postLogoutRedirectUri": text("redirect URI to open after sign-out"),
      "clientCapabilities": list(
        "client capabilities, such as `CP1` for claims challenges", of: text("capability", ["CP1"])),
      "protocolMode": text("authority's protocol", ["AAD", "OIDC", "EAR"]),
      "navigateToLoginRequestUrl": flag("whether MSAL.js returns to the page that started the sign-in", true),
      "cloudDiscoveryMetadata": text("instance discovery response"),
      "authorityMetadata": text("authority's OpenID Connect metadata"),
    ]
    let cache: JSON = [
      "cacheLocation": text("token storage", ["localStorage", "sessionStorage", "memoryStorage"]),
      "storeAuthStateInCookie": flag("whether the request state is also stored in cookies", false),
      "temporaryCacheLocation": text(
        "storage for the request state", ["localStorage", "sessionStorage", "memoryStorage"]),
      "secureCookies": flag("whether cookies require HTTPS", false),
    ]
    let system: JSON = [
      "allowPlatformBroker": flag("whether MSAL.js uses the platform's broker", false),
      "tokenRenewalOffsetSeconds": [
        "type": "integer", "description": "seconds before a token's expiration at which MSAL.js renews the token",
      ],
    ]
    return mapping(
      "MSAL.js configuration",
      [
        "auth": mapping("app registration", auth), "cache": mapping("token cache", cache),
        "system": mapping("library options", system),
      ])
  }()

  static let appManifestSchema: JSON = {
    let redirects = { (name: String) in
      mapping(name, ["redirectUris": list("redirect URIs", of: text("redirect URI"))])
    }
    let permission: JSON = [
      "id": text("permission ID"),
      "type": text("`Scope` for delegated, `Role` for application permissions", ["Scope", "Role"]),
    ]
    let resource: JSON = [
      "resourceAppId": text("API's application ID"),
      "resourceAccess": list("permissions", of: mapping("permission", permission)),
    ]
    let grants: JSON = [
      "enableIdTokenIssuance": flag("whether the authorize endpoint issues ID tokens", false),
      "enableAccessTokenIssuance": flag("whether the authorize endpoint issues access tokens", false),
    ]
    var web = redirects("redirect URIs of web apps")
    web["properties"]?["logoutUrl"] = text("URL for front-channel sign-out")
    web["properties"]?["implicitGrantSettings"] = mapping("implicit grant", grants)
    let replyURL: JSON = ["url": text("redirect URI"), "type": text("platform", ["InstalledClient", "Spa", "Web"])]
    return mapping(
      "app manifest",
      [
        "appId": text("application (client) ID"), "displayName": text("app name"),
        "signInAudience": text(
          "accounts that can sign in",
          [
            "AzureADMyOrg", "AzureADMultipleOrgs", "AzureADandPersonalMicrosoftAccount", "PersonalMicrosoftAccount",
          ]),
        "isFallbackPublicClient": flag("whether flows without a redirect URI are allowed without a secret"),
        "identifierUris": list("identifier URIs of the API", of: text("URI")),
        "publicClient": redirects("redirect URIs of mobile and desktop apps"),
        "spa": redirects("redirect URIs of single-page apps"), "web": web,
        "requiredResourceAccess": list("requested permissions by API", of: mapping("API", resource)),
        "replyUrlsWithType": list("redirect URIs with their platforms", of: mapping("redirect URI", replyURL)),
        "allowPublicClient": flag("whether flows without a redirect URI are allowed without a secret"),
        "oauth2AllowIdTokenImplicitFlow": flag("whether the authorize endpoint issues ID tokens", false),
        "oauth2AllowImplicitFlow": flag("whether the authorize endpoint issues access tokens", false),
        "accessTokenAcceptedVersion": ["type": "integer", "enum": [1, 2], "description": "version of access tokens"],
        "api": mapping(
          "API exposed by the app",
          [
            "requestedAccessTokenVersion": [
              "type": "integer", "enum": [1, 2], "description": "version of access tokens",
            ]
          ]),
      ])
  }()
}
