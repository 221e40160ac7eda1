import Testing

/// Tests web apps with an ASP.NET Core configuration: a base file and a file with overrides for each environment.
@Suite struct CrossFileServerTests {
  static let id = CrossFileRuleTests.id
  static let other = CrossFileRuleTests.other
  static let tenant = "8f5c2d1e-3b7a-4c90-a6e2-d41b7f09c835"

  static func settings(_ more: String = "", tenant: String = tenant) -> (name: String, text: String) {
    (
      "Web/appsettings.json",
      #"{"AzureAd": {"Instance": "https://login.microsoftonline.com/", "TenantId": "\#(tenant)", "ClientId": "\#(id)"\#(more)}}"#
    )
  }

  static func development(_ members: String) -> (name: String, text: String) {
    ("Web/appsettings.Development.json", #"{"AzureAd": {\#(members)}}"#)
  }

  static func manifest(_ uri: String, id: String = id, more: String = "") -> (name: String, text: String) {
    (
      "Registration/\(id).json",
      #"{"appId": "\#(id)", "signInAudience": "AzureADMyOrg", "web": {"redirectUris": ["\#(uri)"]}\#(more)}"#
    )
  }

  static let callback = #", "CallbackPath": "/signin-oidc""#

  @Test(arguments: [
    (callback, "https://contoso.com/signin-oidc", "", [String]()),
    // A base path and localhost are valid. A different letter case is valid too, because routes are case-insensitive.
    (callback, "https://contoso.com/calendar/signin-oidc", "", []),
    (callback, "https://localhost:7001/Signin-OIDC", "", []),
    (callback, "https://${{HOST}}/", "", []), (callback, "https://contoso.com/*", "", []),
    (callback, "https://contoso.com/signin", "", ["callback-not-in-manifest"]),
    (callback, "https://contoso.com/signin-oidc/more", "", ["callback-not-in-manifest"]),
    // Users do not sign in to a web API, even though the web API template has a callback path.
    (
      callback, "https://contoso.com/oauth2-redirect.html",
      #", "api": {"oauth2PermissionScopes": [{"id": "5b1e3c2a-7f0d-4d8e-9a41-0c6b8f2d7e93", "value": "access_as_user"}]}"#,
      []
    ),
    ("", "https://contoso.com/signin", "", []),
    (#", "CallbackPath": "${CALLBACK}""#, "https://contoso.com/signin", "", []),
  ])
  func comparesCallbackPaths(settings: String, uri: String, more: String, expected: [String]) {
    #expect(CrossFileRuleTests.rules([Self.settings(settings), Self.manifest(uri, more: more)]) == expected)
  }

  /// Values that are missing from an environment's file come from the base file.
  @Test(arguments: [
    (#""ClientId": "\#(other)""#, [String]()), (#""CallbackPath": "/signin-oidc""#, []),
    (#""ClientId": "\#(other)", "TenantId": "common""#, ["audience-contradiction"]),
    (#""ClientId": "\#(other)", "CallbackPath": "/signin""#, ["callback-not-in-manifest"]),
  ])
  func mergesSettingsOfAnEnvironment(members: String, expected: [String]) {
    let files = [
      Self.settings(Self.callback), Self.development(members), Self.manifest("https://contoso.com/signin-oidc"),
      Self.manifest("https://localhost:7001/signin-oidc", id: Self.other),
    ]
    #expect(CrossFileRuleTests.rules(files) == expected)
  }

  /// Returns a mobile app, a web page, and a server in one repository, each with its registration.
  static func repository(mobile: String) -> [(name: String, text: String)] {
    let page = "8b1f0c9e-4a5d-4c27-9e63-7d2b5a1f0c44"
    let redirect = "msauth://com.contoso.app/\(CrossFileLayoutTests.signature)"
    return [
      ("mobile/ios/Runner/Info.plist", CrossFileLayoutTests.plist("com.contoso.app")),
      ("mobile/assets/msal_config.json", CrossFileLayoutTests.android(redirect, id: other)),
      (
        "mobile/registration.json",
        CrossFileLayoutTests.manifest(["msauth.com.contoso.app://auth", redirect], id: mobile)
      ),
      (
        "page/msal.config.json",
        #"{"auth": {"clientId": "\#(page)", "authority": "https://login.microsoftonline.com/\#(tenant)", "redirectUri": "https://contoso.com/"}, "cache": {"cacheLocation": "sessionStorage"}}"#
      ),
      ("page/registration.json", CrossFileLayoutTests.manifest([], id: page, spa: ["https://contoso.com/"])),
      settings(callback), manifest("https://contoso.com/signin-oidc"),
    ]
  }

  @Test func separatesNeighboringApps() {
    #expect(CrossFileRuleTests.rules(Self.repository(mobile: Self.other)) == [])
    let wrong = "c3a81f52-9d07-4e6b-b1d4-5f0e7a926c18"
    #expect(CrossFileRuleTests.rules(Self.repository(mobile: wrong)) == ["client-id-mismatch"])
  }
}
