/// The names of the sections in the shared cache file.
package enum CacheSectionName: String, Sendable, Hashable, CaseIterable {
  case accessToken = "AccessToken"
  case refreshToken = "RefreshToken"
  case idToken = "IdToken"
  case account = "Account"
  case appMetadata = "AppMetadata"
  /// Account metadata per client. The shared format does not define this section. MSAL for Apple platforms stores this
  /// data next to the tokens. Other libraries preserve unknown sections.
  case accountMetadata = "AccountMetadata"
}
