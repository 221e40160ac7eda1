import IdentityPlatform

extension Glossary {
  /// The entries for terms in the documentation and code that are not in any other table. The first sentence of each
  /// entry defines the term.
  static let termEntries: [GlossaryEntry] = [
    term(
      "PKCE", ["proof key for code exchange", "RFC 7636"],
      "A protection for authorization codes (RFC 7636): only the app that requested a code can redeem it.",
      "MSAL always uses it. Send code_challenge to the authorize endpoint and code_verifier to the token endpoint.",
      ["code_challenge", "code_verifier"]),
    term(
      "default-scope", [".default", "default"],
      "The scope RESOURCE/.default, which requests all permissions for that resource in the app registration.",
      "Do not combine it with other scopes for the same resource. Apps that run without a user must request it.",
      ["scope"]),
    term(
      "MSALPublicClientApplication",
      ["PublicClientApplication", "IPublicClientApplication", "PublicClientApplicationBuilder"],
      "The MSAL class that acquires tokens for an app without a secret.",
      "Create it once from the settings. Workflow steps correspond to calls to its methods.",
      ["loadAccount", "silent", "interactive"]),
    term(
      "MSALPublicClientApplicationConfig", ["MSALGlobalConfig"],
      "The configuration of MSALPublicClientApplication: client ID, redirect URI, authority, and cache.",
      "Use the same values in a workflow's settings file.", ["AppId", "RedirectUri", "Authority"]),
    term(
      "MSALAccount", ["IAccount"], "The MSAL object for a user who is signed in to the app.",
      "Store its identifier, and load the account with it before a silent request.", ["loadAccount", "listAccounts"]),
    term(
      "MSALResult", ["AuthenticationResult", "IAuthenticationResult"],
      "The result of a token request: access token, scopes, expiry, ID token claims, and account.",
      "Use the access token for one resource only, and make a silent request before each call.", ["silent"]),
    term(
      "CFBundleURLTypes", ["CFBundleURLSchemes", "CFBundleURLName"],
      "The Info.plist key that registers URL schemes. The sign-in page redirects to one of them to return to an iOS app.",
      "Add the scheme msauth.BUNDLE_ID to CFBundleURLSchemes.", ["redirect-scheme-not-registered", "RedirectUri"]),
    term(
      "LSApplicationQueriesSchemes", [],
      "The Info.plist key for the URL schemes that an iOS app can query. MSAL queries the schemes of the Authenticator app.",
      "Add msauthv2 and msauthv3.", ["BrokerAvailability"]),
    term(
      "CFBundleIdentifier", ["PRODUCT_BUNDLE_IDENTIFIER"],
      "The Info.plist key for the bundle ID. MSAL derives the default redirect URI from it.",
      "Register msauth.BUNDLE_ID://auth with exactly this bundle ID.", ["BundleId"]),
    term(
      "keychain-access-groups", [],
      "The entitlement that lists an app's keychain groups. MSAL stores its tokens in one of them.",
      "Add $(AppIdentifierPrefix)com.microsoft.adalcache on iOS, or set KeychainGroup to your own group.",
      ["KeychainGroup"]),
  ]

  private static func term(
    _ name: String, _ spellings: [String], _ meaning: String, _ advice: String, _ related: [String]
  ) -> GlossaryEntry {
    GlossaryEntry(.term, name, spellings: spellings, .informational, meaning: meaning, advice: advice, related: related)
  }
}
