/// A claim of Microsoft's tokens and what it says.
package struct ClaimDescription: Hashable, Sendable {
  package var name: String
  /// What it says, for a reader of a decoded token.
  package var words: String
  /// Seconds since 1970, to be shown as a date.
  package var isTime: Bool

  init(_ name: String, _ words: String, isTime: Bool = false) {
    self.name = name
    self.words = words
    self.isTime = isTime
  }

  package static func named(_ name: some StringProtocol) -> ClaimDescription? {
    all.first { $0.name == name }
  }

  package static let all: [ClaimDescription] = [
    .init("aud", "whom the token is for: the client (id token) or the API (access token)"),
    .init("iss", "who issued it; the tenant signed in to, never common"),
    .init("iat", "when it was issued", isTime: true),
    .init("nbf", "not valid before", isTime: true),
    .init("exp", "not valid from then on", isTime: true),
    .init("auth_time", "when the user last proved who they are", isTime: true),
    .init("aio", "for the service's own use"),
    .init("tid", "the tenant signed in to"),
    .init("ver", "the token's version, 1.0 or 2.0"),
    .init("oid", "the user's object id in that tenant, the same for all apps"),
    .init("sub", "the user as this audience knows them: different for each app"),
    .init("name", "the user's name, to be shown"),
    .init("preferred_username", "the user name, to be shown; it can change, so nothing may hang on it"),
    .init("upn", "the user principal name (version 1)"),
    .init("unique_name", "a name to be shown (version 1); not unique"),
    .init("given_name", "the user's first name"),
    .init("family_name", "the user's last name"),
    .init("email", "the user's mail address; not proven to be theirs"),
    .init("nonce", "the random value of the sign-in request, which ties the token to it"),
    .init("azp", "the client that asked for the token (version 2)"),
    .init("azpacr", "how that client proved itself: 0 not at all, 1 secret, 2 certificate (version 2)"),
    .init("appid", "the client that asked for the token (version 1)"),
    .init("appidacr", "how that client proved itself: 0 not at all, 1 secret, 2 certificate (version 1)"),
    .init("app_displayname", "the client's name"),
    .init("scp", "the delegated permissions, separated by spaces"),
    .init("roles", "application roles or permissions"),
    .init("idtyp", "user or app: whether a user stands behind the token"),
    .init("amr", "how the user signed in: pwd password, mfa several factors, rsa certificate, fed federated"),
    .init("acr", "1 where the user signed in, 0 where that was not enough for the standard"),
    .init("acrs", "the authentication contexts that were satisfied"),
    .init("idp", "who vouched for a guest or personal account"),
    .init("acct", "1 for a guest, 0 for a member"),
    .init("uti", "an id of this one token"),
    .init("rh", "for the service's own use"),
    .init("sid", "the session, for signing out everywhere"),
    .init("login_hint", "what to send as logout or login hint to skip the account picker"),
    .init("ipaddr", "the address the user came from"),
    .init("xms_cc", "what the client can do: cp1 means that it handles claims challenges"),
    .init("groups", "the groups the user is in; with too many, a link stands in _claim_sources"),
    .init("wids", "the directory roles of the user"),
    .init("hasgroups", "the user is in more groups than a token holds"),
    .init("_claim_names", "claims that did not fit, by the source that has them"),
    .init("_claim_sources", "where those claims can be fetched"),
    .init("c_hash", "ties an authorization code to the token"),
    .init("at_hash", "ties an access token to the id token"),
    .init("puid", "the user's number in Microsoft's older systems"),
    .init("platf", "the kind of device"),
    .init("signin_state", "how the session came about, such as kmsi for \"stay signed in\""),
    .init("tfp", "the user flow that ran (Azure AD B2C)"),
    .init("emails", "the user's mail addresses (Azure AD B2C)"),
    .init("xms_st", "the subject as the client's own id token says it"),
    .init("xms_tcdt", "when the tenant was created", isTime: true),
    .init("xms_tdbr", "the region of the tenant's data"),
  ]
}
