import Directory
import Documents
import Effects
import GraphEmulator
import OAuth
import OrderedCollections

/// A builder that changes issued tokens to test how a client or an API handles tokens that the platform would not
/// issue.
struct ForgedTokenBuilder: Sendable {
  /// The changes to one token.
  private struct Change: Sendable {
    /// Whether the token expired an hour ago.
    var isExpired = false
    /// Whether the token becomes valid in an hour.
    var isNotYetValid = false
    var audience: String?
    /// Claims to set; null removes a claim.
    var claims: OrderedDictionary<String, JSON> = [:]
    var hasBadSignature = false
  }

  private static let hour: Int64 = 3600
  private static let tokens = ["access_token": "accessToken", "id_token": "idToken", "refresh_token": "refreshToken"]

  private let call: ControlCall
  private var changes: [String: Change] = [:]

  /// - Parameter request: The changes, as `{accessToken: {expired, notYetValid, audience, claims, badSignature},
  ///   idToken: …, refreshToken: {expired, badSignature}}`.
  init(_ request: JSON?, _ call: ControlCall) throws(ControlError) {
    self.call = call
    guard let request else { return }
    try call.members(Self.tokens.values.sorted(), of: request)
    for (name, json) in request.object ?? [:] {
      let isRefreshToken = name == "refreshToken"
      try call.members(
        isRefreshToken
          ? ["expired", "badSignature"] : ["expired", "notYetValid", "audience", "claims", "badSignature"], of: json)
      var change = Change()
      change.isExpired = json["expired"]?.bool ?? false
      change.isNotYetValid = json["notYetValid"]?.bool ?? false
      change.audience = json["audience"]?.string
      change.claims = json["claims"]?.object ?? [:]
      change.hasBadSignature = json["badSignature"]?.bool ?? false
      changes[name] = change
    }
  }

  /// Applies the changes to a token response.
  func change(_ response: JSON) throws(ControlError) -> JSON {
    var response = response
    for (member, name) in Self.tokens {
      guard let change = changes[name] else { continue }
      guard let text = response[member]?.string else {
        throw ControlError("token response does not contain `\(member)`")
      }
      response[member] = .string(
        name == "refreshToken" ? refreshToken(text, change) : token(text, change))
    }
    return response
  }

  private func token(_ text: String, _ change: Change) -> String {
    let rotations = call.platform.withState { $0.rotations }
    guard !text.hasPrefix(TokenIssuer.opaquePrefix) else { return opaque(text, change) }
    guard let token = try? UnverifiedJWT(parsing: text), let key = call.platform.keys.current(after: rotations) else {
      return text
    }
    var header: JSON = [:]
    if let thumbprint = token.header["x5t"] { header["x5t"] = thumbprint }
    let changed = (try? key.token(claims(token.claims, change), header: header)) ?? text
    return change.hasBadSignature ? Self.withInvalidSignature(changed) : changed
  }

  /// Applies the changes to the opaque access token of a personal account.
  private func opaque(_ text: String, _ change: Change) -> String {
    guard let old = OpaqueTokenCipher.open(String(text.dropFirst(TokenIssuer.opaquePrefix.count)), for: .accessToken)
    else {
      return text
    }
    let changed =
      TokenIssuer.opaquePrefix
      + OpaqueTokenCipher.seal(claims(old, change), for: .accessToken, randomness: call.platform.randomness)
    return change.hasBadSignature ? Self.withInvalidSignature(changed) : changed
  }

  private func refreshToken(_ text: String, _ change: Change) -> String {
    guard change.isExpired, var grant = TokenIssuer.open(text, for: .refreshToken) else {
      return change.hasBadSignature ? Self.withInvalidSignature(text) : text
    }
    let age = call.platform.lifetimes.refreshToken + .seconds(Self.hour)
    grant.issuedAt = grant.issuedAt - age
    grant.chainStartedAt = grant.issuedAt
    let changed = "1." + OpaqueTokenCipher.seal(grant.json, for: .refreshToken, randomness: call.platform.randomness)
    return change.hasBadSignature ? Self.withInvalidSignature(changed) : changed
  }

  private func claims(_ old: JSON, _ change: Change) -> JSON {
    var claims = old.object ?? [:]
    let now = call.exchange.now.secondsSince1970
    func set(from: Int64, until: Int64) {
      for name in ["iat", "nbf"] { claims[name] = .integer(from) }
      claims["exp"] = .integer(until)
    }
    if change.isExpired { set(from: now - 2 * Self.hour, until: now - Self.hour) }
    if change.isNotYetValid { set(from: now + Self.hour, until: now + 2 * Self.hour) }
    if let audience = change.audience { claims["aud"] = .string(audience) }
    for (name, value) in change.claims {
      if value == .null { claims.removeValue(forKey: name) } else { claims[name] = value }
    }
    return .object(claims)
  }

  /// Replaces the eighth character from the end, because the last character can contain unused bits.
  private static func withInvalidSignature(_ text: String) -> String {
    var characters = Array(text)
    let index = characters.count - 8
    guard index > 0 else { return text }
    characters[index] = characters[index] == "A" ? "B" : "A"
    return String(characters)
  }
}
