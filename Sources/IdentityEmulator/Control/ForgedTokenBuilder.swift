import Directory
import Documents
import Effects
import GraphEmulator
import OAuth
import OrderedCollections

/// Makes tokens that the platform would not issue, to see what a client or an API does with them.
struct ForgedTokenBuilder: Sendable {
  /// What is changed about one token.
  private struct Change: Sendable {
    /// It ended an hour ago.
    var isExpired = false
    /// It begins in an hour.
    var isEarly = false
    var audience: String?
    /// Claims to set; one that is null is left out.
    var claims: OrderedDictionary<String, JSON> = [:]
    var hasBadSignature = false
  }

  private static let hour: Int64 = 3600
  private static let tokens = ["access_token": "accessToken", "id_token": "idToken", "refresh_token": "refreshToken"]

  private let call: ControlCall
  private var changes: [String: Change] = [:]

  /// - Parameter wish: `{accessToken: {expired, notYetValid, audience, claims, badSignature}, idToken: …, refreshToken:
  ///   {expired, badSignature}}`.
  init(_ wish: JSON?, _ call: ControlCall) throws(ControlError) {
    self.call = call
    guard let wish else { return }
    try call.members(Self.tokens.values.sorted(), of: wish)
    for (name, json) in wish.object ?? [:] {
      let isRefreshToken = name == "refreshToken"
      try call.members(
        isRefreshToken
          ? ["expired", "badSignature"] : ["expired", "notYetValid", "audience", "claims", "badSignature"], of: json)
      var change = Change()
      change.isExpired = json["expired"]?.bool ?? false
      change.isEarly = json["notYetValid"]?.bool ?? false
      change.audience = json["audience"]?.string
      change.claims = json["claims"]?.object ?? [:]
      change.hasBadSignature = json["badSignature"]?.bool ?? false
      changes[name] = change
    }
  }

  /// The token endpoint's answer with the tokens changed.
  func change(_ answer: JSON) throws(ControlError) -> JSON {
    var answer = answer
    for (member, name) in Self.tokens {
      guard let change = changes[name] else { continue }
      guard let text = answer[member]?.string else { throw ControlError("the answer has no \(member) to change") }
      answer[member] = .string(
        name == "refreshToken" ? refreshToken(text, change) : token(text, change))
    }
    return answer
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
    return change.hasBadSignature ? Self.spoiled(changed) : changed
  }

  /// The token of a personal account, which only the platform reads.
  private func opaque(_ text: String, _ change: Change) -> String {
    guard let old = OpaqueTokenCipher.open(String(text.dropFirst(TokenIssuer.opaquePrefix.count)), for: .accessToken)
    else {
      return text
    }
    let changed =
      TokenIssuer.opaquePrefix
      + OpaqueTokenCipher.seal(claims(old, change), for: .accessToken, randomness: call.platform.randomness)
    return change.hasBadSignature ? Self.spoiled(changed) : changed
  }

  private func refreshToken(_ text: String, _ change: Change) -> String {
    guard change.isExpired, var grant = TokenIssuer.open(text, for: .refreshToken) else {
      return change.hasBadSignature ? Self.spoiled(text) : text
    }
    let age = call.platform.lifetimes.refreshToken + .seconds(Self.hour)
    grant.issuedAt = grant.issuedAt - age
    grant.chainStartedAt = grant.issuedAt
    let changed = "1." + OpaqueTokenCipher.seal(grant.json, for: .refreshToken, randomness: call.platform.randomness)
    return change.hasBadSignature ? Self.spoiled(changed) : changed
  }

  private func claims(_ old: JSON, _ change: Change) -> JSON {
    var claims = old.object ?? [:]
    let now = call.exchange.now.secondsSince1970
    func set(from: Int64, until: Int64) {
      for name in ["iat", "nbf"] { claims[name] = .integer(from) }
      claims["exp"] = .integer(until)
    }
    if change.isExpired { set(from: now - 2 * Self.hour, until: now - Self.hour) }
    if change.isEarly { set(from: now + Self.hour, until: now + 2 * Self.hour) }
    if let audience = change.audience { claims["aud"] = .string(audience) }
    for (name, value) in change.claims {
      if value == .null { claims.removeValue(forKey: name) } else { claims[name] = value }
    }
    return .object(claims)
  }

  /// The text with one letter in its last part changed: one that carries bits of the signature in full.
  private static func spoiled(_ text: String) -> String {
    var letters = Array(text)
    let place = letters.count - 8
    guard place > 0 else { return text }
    letters[place] = letters[place] == "A" ? "B" : "A"
    return String(letters)
  }
}
