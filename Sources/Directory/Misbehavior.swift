/// Ways in which the platform can break the rules of OAuth and OpenID Connect, or keep them in a way that clients are not
/// used to: to prove that a client notices the one and copes with the other.
///
/// Each lasts until `stopsMisbehaving` ends it. Several go together.
package enum Misbehavior: String, Hashable, Sendable, CaseIterable {
  // What an ID token says.
  case wrongIssuer = "wrong-issuer"
  case wrongAudience = "wrong-audience"
  case missingAudience = "missing-audience"
  case missingSubject = "missing-subject"
  case missingIssuedAt = "missing-issued-at"
  case wrongNonce = "wrong-nonce"
  case missingNonce = "missing-nonce"
  case expiredToken = "expired-token"
  case futureToken = "future-token"
  case wrongAccount = "wrong-account"
  case wrongTokenHash = "wrong-token-hash"

  // How it is signed.
  case wrongSignature = "wrong-signature"
  case unsignedToken = "unsigned-token"
  case sharedSecretSignature = "shared-secret-signature"
  case ellipticSignature = "elliptic-signature"
  case unknownKey = "unknown-key"
  case missingKeyId = "missing-key-id"
  case criticalExtension = "critical-extension"

  // The key set.
  case singleKey = "single-key"
  case severalKeys = "several-keys"
  case oddKeys = "odd-keys"
  case noKeys = "no-keys"
  case lateKeyRotation = "late-key-rotation"

  // The discovery document.
  case wrongMetadataIssuer = "wrong-metadata-issuer"
  case incompleteMetadata = "incomplete-metadata"
  case insecureEndpoints = "insecure-endpoints"
  case movedEndpoints = "moved-endpoints"
  case plainChallengeOnly = "plain-challenge-only"

  // The redirect to the app.
  case wrongState = "wrong-state"
  case missingState = "missing-state"
  case announcedIssuer = "announced-issuer"
  case missingResponseIssuer = "missing-response-issuer"
  case wrongResponseIssuer = "wrong-response-issuer"
  case injectedCode = "injected-code"
  case lostChallenge = "lost-challenge"

  // The token endpoint.
  case uncheckedChallenge = "unchecked-challenge"
  case missingIdToken = "missing-id-token"
  case missingAccessToken = "missing-access-token"
  case missingClientInfo = "missing-client-info"
  case fewerScopes = "fewer-scopes"
  case wrongTokenType = "wrong-token-type"
  case redirectingTokenEndpoint = "redirecting-token-endpoint"

  // Userinfo and signing out.
  case wrongUserinfoSubject = "wrong-userinfo-subject"
  case missingLogoutState = "missing-logout-state"
  case wrongLogoutState = "wrong-logout-state"

  // Answers that are too long, or do not end.
  case oversizedMetadata = "oversized-metadata"
  case oversizedKeys = "oversized-keys"
  case oversizedTokens = "oversized-tokens"
  case oversizedUserinfo = "oversized-userinfo"
  case endlessMetadata = "endless-metadata"
  case endlessKeys = "endless-keys"
  case endlessTokens = "endless-tokens"
  case endlessUserinfo = "endless-userinfo"

  /// What the platform does, in one line.
  package var words: String {
    switch self {
    case .wrongIssuer: "ID tokens say that another provider issued them"
    case .wrongAudience: "ID tokens are for another app"
    case .missingAudience: "ID tokens do not say which app they are for"
    case .missingSubject: "ID tokens do not say whom they are about"
    case .missingIssuedAt: "ID tokens do not say when they were issued"
    case .wrongNonce: "ID tokens carry the nonce of another sign-in"
    case .missingNonce: "ID tokens carry no nonce, though the app sent one"
    case .expiredToken: "ID tokens ended a day ago"
    case .futureToken: "ID tokens begin in a day"
    case .wrongAccount: "ID tokens are about somebody else"
    case .wrongTokenHash: "ID tokens carry the at_hash of another access token"
    case .wrongSignature: "the signatures of ID tokens are wrong"
    case .unsignedToken: "ID tokens have alg none and no signature"
    case .sharedSecretSignature: "ID tokens are signed with HS256, the public RSA key as the secret"
    case .ellipticSignature: "ID tokens are signed with ES256, and the key set has that key too; no rule is broken"
    case .unknownKey: "ID tokens name a key that the key set lacks"
    case .missingKeyId: "ID tokens do not name their key"
    case .criticalExtension: "ID tokens demand an extension (crit) that nobody knows"
    case .singleKey: "the key set shows the one key that signs; no rule is broken"
    case .severalKeys: "the key set shows several keys of one kind; no rule is broken"
    case .oddKeys: "the key set also holds keys for other purposes and of unknown kinds; no rule is broken"
    case .noKeys: "the key set is empty"
    case .lateKeyRotation: "right before each ID token is signed the key is replaced; no rule is broken"
    case .wrongMetadataIssuer: "the discovery document describes another issuer"
    case .incompleteMetadata: "the discovery document names no token endpoint"
    case .insecureEndpoints: "the discovery document names endpoints without TLS"
    case .movedEndpoints: "endpoints are where only the discovery document says; no rule is broken"
    case .plainChallengeOnly: "the discovery document claims that only plain code challenges are known"
    case .wrongState: "redirects carry another sign-in's state"
    case .missingState: "redirects carry no state"
    case .announcedIssuer: "redirects say who sends them, as announced (RFC 9207); no rule is broken"
    case .missingResponseIssuer: "redirects do not say who sends them, though that is announced"
    case .wrongResponseIssuer: "redirects say that another provider sends them"
    case .injectedCode: "redirects carry a code that somebody else was given"
    case .lostChallenge: "the code challenge is lost before it arrives, as an attacker would have it"
    case .uncheckedChallenge: "the token endpoint does not compare the code verifier"
    case .missingIdToken: "token answers have no ID token"
    case .missingAccessToken: "token answers have no access token"
    case .missingClientInfo: "token answers do not say whose account it is (client_info)"
    case .fewerScopes: "less is granted than was asked for"
    case .wrongTokenType: "the access token is not of the type Bearer"
    case .redirectingTokenEndpoint: "the token endpoint redirects to another host"
    case .wrongUserinfoSubject: "userinfo is about somebody else"
    case .missingLogoutState: "the way back from signing out carries no state"
    case .wrongLogoutState: "the way back from signing out carries another state"
    case .oversizedMetadata: "the discovery document is larger than any client reads"
    case .oversizedKeys: "the key set is larger than any client reads"
    case .oversizedTokens: "the token answer is larger than any client reads"
    case .oversizedUserinfo: "the userinfo answer is larger than any client reads"
    case .endlessMetadata: "the discovery document never ends"
    case .endlessKeys: "the key set never ends"
    case .endlessTokens: "the token answer never ends"
    case .endlessUserinfo: "the userinfo answer never ends"
    }
  }

  /// All of them as a table for the handbook, in Markdown.
  package static var table: String {
    let lines = allCases.map { "| `\($0.rawValue)` | \($0.words) |" }
    return """
      # Misbehaviors of the emulated platform

      Ways in which the platform breaks the rules, or keeps them unlike others do, for a client to notice or to bear:
      `simulate: [misbehaves: wrong-issuer]` in a workflow, `[{"misbehaves": "wrong-issuer"}]` to the control interface.
      Each lasts until `stopsMisbehaving` ends it, or all of them. `Workflows/conformance` tries every one.

      | name | what the platform does |
      |---|---|
      \(lines.joined(separator: "\n"))

      """
  }
}
