/// What the sections and fields of MSAL's token cache are for: the unified schema, which all MSALs share.
package enum CacheField {
  /// What an entry of the section is; nil for one that the schema does not have.
  package static func section(_ name: some StringProtocol) -> String? {
    sections.first { $0.name == name }?.meaning
  }

  /// What a field says; nil for one that the schema does not have.
  package static func meaning(of name: some StringProtocol) -> String? {
    fields.first { $0.name == name }?.meaning
  }

  private static let sections: [(name: String, meaning: String)] = [
    ("AccessToken", "what an API is called with, kept until it ends, by account, client, tenant and scopes"),
    (
      "RefreshToken",
      "what new tokens are got with without the user; one for the account and client, whatever the scopes"
    ),
    ("IdToken", "who signed in, as the app was last told"),
    ("Account", "who can be signed in silently, in one tenant"),
    ("AccountMetadata", "MSAL's notes on an account: by which authority it was last found"),
    ("AppMetadata", "MSAL's notes on the app: whether it shares refresh tokens with a family of apps"),
  ]

  /// Those that mean the same outside of the cache.
  static let shared: [(String, String)] = [
    ("environment", "the cloud, by the one of its host names that caches agree on"),
    ("home_account_id", "who: the object id and the tenant that the account is at home in, uid.utid"),
  ]

  private static let fields: [(name: String, meaning: String)] =
    [
      ("account_metadata_map", "which authority answered for which asked one"),
      ("account_source", "how the account came into the cache"),
      ("authority_type", "MSSTS: a Microsoft account of any sort; others for AD FS and B2C"),
      ("cached_at", "when it was stored"),
      ("client_id", "the app that it was issued to"),
      ("client_info", "the service's word on uid and utid, as it came"),
      ("credential_type", "which of the sections it belongs to"),
      ("expires_on", "when it ends; a silent call takes it until five minutes before"),
      ("extended_expires_on", "until when it may be used while the service is down"),
      ("family_id", "the family of apps that share the token; empty for an app of its own"),
      ("family_name", "the user's last name"),
      ("given_name", "the user's first name"),
      ("last_modification_time", "when the entry was last written"),
      ("local_account_id", "the user's object id in this tenant"),
      ("name", "the user's name, to be shown"),
      ("principal_account_environment", "the cloud of the account that is signed in to this app"),
      ("principal_home_account_id", "the account that is signed in to this app"),
      ("principal_username", "the user name of the account that is signed in to this app"),
      ("realm", "the tenant"),
      ("refresh_on", "from when on a new one is got early, in the background"),
      ("secret", "the token itself, which no report shows"),
      ("target", "the scopes, separated by spaces; asked scopes must all be among them"),
      ("token_type", "how it is used: Bearer"),
      ("username", "the user name, to be shown"),
    ] + shared.map { (name: $0.0, meaning: $0.1) }
}
