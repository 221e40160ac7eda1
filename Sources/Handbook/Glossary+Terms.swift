import IdentityPlatform

extension Glossary {
  /// Terms from the documentation and code that no other table contains. The first sentence of each entry defines the
  /// term.
  static let termEntries: [GlossaryEntry] = [
    term(
      "PKCE", ["proof key for code exchange", "RFC 7636"],
      "A protection of the authorization code (RFC 7636): only the app that requested the code can redeem it.",
      "MSAL always uses it. Send code_challenge to the authorize endpoint and code_verifier to the token endpoint.",
      ["code_challenge", "code_verifier"]),
    term(
      "default-scope", [".default", "default"],
      "The scope RESOURCE/.default, which requests all permissions of the app registration for that resource at once.",
      "Do not combine it with other scopes of the same resource. Apps without a user require it.", ["scope"]),
    term(
      "MSALPublicClientApplication",
      ["PublicClientApplication", "IPublicClientApplication", "PublicClientApplicationBuilder"],
      "The class of MSAL that acquires tokens for an app without a secret.",
      "Create it once from the settings. The steps of a workflow are calls of its methods.",
      ["loadAccount", "silent", "interactive"]),
    term(
      "MSALPublicClientApplicationConfig", ["MSALGlobalConfig"],
      "The configuration of MSALPublicClientApplication: client ID, redirect URI, authority, and cache.",
      "Write the same values in the settings file of a workflow.", ["AppId", "RedirectUri", "Authority"]),
    term(
      "MSALAccount", ["IAccount"], "A user that is signed in to the app, as MSAL returns it.",
      "Store its identifier, and load the account with it before a silent request.", ["loadAccount", "listAccounts"]),
    term(
      "MSALResult", ["AuthenticationResult", "IAuthenticationResult"],
      "The result of a token request: access token, scopes, expiry, ID token claims, and account.",
      "Use the access token for one resource only, and request it again before each call.", ["silent"]),
    term(
      "CFBundleURLTypes", ["CFBundleURLSchemes", "CFBundleURLName"],
      "The key of Info.plist that registers URL schemes. The sign-in page returns to an iOS app by such a scheme.",
      "Add the scheme msauth.BUNDLE_ID to CFBundleURLSchemes.", ["redirect-scheme-not-registered", "RedirectUri"]),
    term(
      "LSApplicationQueriesSchemes", [],
      "The key of Info.plist that lists the URL schemes that an iOS app may look for. MSAL looks for Authenticator.",
      "Add msauthv2 and msauthv3.", ["BrokerAvailability"]),
    term(
      "CFBundleIdentifier", ["PRODUCT_BUNDLE_IDENTIFIER"],
      "The key of Info.plist with the bundle ID. MSAL derives the default redirect URI from it.",
      "Register msauth.BUNDLE_ID://auth with exactly this bundle ID.", ["BundleId"]),
    term(
      "keychain-access-groups", [],
      "The entitlement that lists the keychain groups of an app. MSAL stores its tokens in one of them.",
      "Add $(AppIdentifierPrefix)com.microsoft.adalcache on iOS, or set KeychainGroup to your own group.",
      ["KeychainGroup"]),
  ]

  private static func term(
    _ name: String, _ spellings: [String], _ meaning: String, _ advice: String, _ related: [String]
  ) -> GlossaryEntry {
    GlossaryEntry(.term, name, spellings: spellings, .informational, meaning: meaning, advice: advice, related: related)
  }
}
