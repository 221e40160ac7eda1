/// The parts of the shared cache file, by their names in it.
package enum CacheSectionName: String, Sendable, Hashable, CaseIterable {
  case accessToken = "AccessToken"
  case refreshToken = "RefreshToken"
  case idToken = "IdToken"
  case account = "Account"
  case appMetadata = "AppMetadata"
  /// Who is signed in, per client: MSAL for Apple platforms keeps it beside the tokens, the shared file has no name for
  /// it. Other libraries leave unknown parts alone.
  case accountMetadata = "AccountMetadata"
}
