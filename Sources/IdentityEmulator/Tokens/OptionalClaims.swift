import Directory
import Documents
import Effects
import GraphEmulator
import OrderedCollections

/// Claims that a token contains only if the app registration or the `claims` parameter requests them.
struct OptionalClaims: Sendable {
  let member: GraphState.Member
  let authenticatedAt: Instant
  /// The authentication contexts that the sign-in satisfied.
  let contexts: [String]

  /// Adds the named claims that the platform supports and for which the account has a value. Does not change existing
  /// claims.
  func add(_ names: some Sequence<String>, to claims: inout OrderedDictionary<String, JSON>) {
    for name in names where claims[name] == nil {
      if let value = value(of: name) { claims[name] = value }
    }
  }

  private func value(of name: String) -> JSON? {
    let user = member.account.user
    func text(_ value: String?) -> JSON? { value.map { .string($0) } }
    return switch name {
    case "auth_time": .integer(authenticatedAt.secondsSince1970)
    case "login_hint": .string(TokenIssuer.loginHint(user))
    case "email", "verified_primary_email": text(user.mail)
    case "given_name": text(user.givenName)
    case "family_name": text(user.surname)
    case "upn": .string(member.userPrincipalName)
    case "preferred_username": .string(user.username)
    case "ipaddr": .string(TokenIssuer.clientIPAddress)
    case "acct": member.isGuest ? 1 : 0
    case "ctry": text(user.country)
    case "xms_pl": text(user.preferredLanguage)
    case "acrs": contexts.isEmpty ? nil : .array(contexts.map { .string($0) })
    default: nil
    }
  }
}
