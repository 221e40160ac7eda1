/// Ways in which the emulator violates OAuth and OpenID Connect, or behaves in an unusual but valid way. They test
/// whether a client detects violations and accepts unusual valid behavior.
///
/// Each misbehavior stays active until `stopsMisbehaving` ends it. Several misbehaviors can be active at the same time.
package enum Misbehavior: String, Hashable, Sendable, CaseIterable {
  // Claims in the ID token
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

  // Signature of the ID token
  case wrongSignature = "wrong-signature"
  case unsignedToken = "unsigned-token"
  case sharedSecretSignature = "shared-secret-signature"
  case ellipticSignature = "elliptic-signature"
  case unknownKey = "unknown-key"
  case missingKeyId = "missing-key-id"
  case criticalExtension = "critical-extension"

  // Key set
  case singleKey = "single-key"
  case severalKeys = "several-keys"
  case oddKeys = "odd-keys"
  case noKeys = "no-keys"
  case lateKeyRotation = "late-key-rotation"

  // Discovery document
  case wrongMetadataIssuer = "wrong-metadata-issuer"
  case incompleteMetadata = "incomplete-metadata"
  case insecureEndpoints = "insecure-endpoints"
  case movedEndpoints = "moved-endpoints"
  case plainChallengeOnly = "plain-challenge-only"

  // Redirect to the app
  case wrongState = "wrong-state"
  case missingState = "missing-state"
  case announcedIssuer = "announced-issuer"
  case missingResponseIssuer = "missing-response-issuer"
  case wrongResponseIssuer = "wrong-response-issuer"
  case injectedCode = "injected-code"
  case redeemedCode = "redeemed-code"
  case otherRedirectCode = "other-redirect-code"
  case lostChallenge = "lost-challenge"

  // Token endpoint
  case uncheckedChallenge = "unchecked-challenge"
  case missingIdToken = "missing-id-token"
  case missingAccessToken = "missing-access-token"
  case missingClientInfo = "missing-client-info"
  case fewerScopes = "fewer-scopes"
  case wrongTokenType = "wrong-token-type"
  case redirectingTokenEndpoint = "redirecting-token-endpoint"

  // UserInfo endpoint and sign-out
  case wrongUserinfoSubject = "wrong-userinfo-subject"
  case missingLogoutState = "missing-logout-state"
  case wrongLogoutState = "wrong-logout-state"

  // Oversized and endless responses
  case oversizedMetadata = "oversized-metadata"
  case oversizedKeys = "oversized-keys"
  case oversizedTokens = "oversized-tokens"
  case oversizedUserinfo = "oversized-userinfo"
  case endlessMetadata = "endless-metadata"
  case endlessKeys = "endless-keys"
  case endlessTokens = "endless-tokens"
  case endlessUserinfo = "endless-userinfo"

  /// A one-line description of the behavior.
  package var summary: String {
    switch self {
    case .wrongIssuer: "ID tokens contain another provider's issuer"
    case .wrongAudience: "ID tokens contain another app's audience"
    case .missingAudience: "ID tokens do not contain an audience"
    case .missingSubject: "ID tokens do not contain a subject"
    case .missingIssuedAt: "ID tokens do not contain an issue time"
    case .wrongNonce: "ID tokens contain the nonce from another sign-in"
    case .missingNonce: "ID tokens do not contain the nonce that the app sent"
    case .expiredToken: "ID tokens expired a day ago"
    case .futureToken: "ID tokens become valid in a day"
    case .wrongAccount: "ID tokens contain another user's subject"
    case .wrongTokenHash: "ID tokens contain the `at_hash` of another access token"
    case .wrongSignature: "ID tokens have an invalid signature"
    case .unsignedToken: "ID tokens are unsigned (`alg` is `none`)"
    case .sharedSecretSignature: "ID tokens are signed with HS256 and the public RSA key as the secret"
    case .ellipticSignature:
      "ID tokens are signed with ES256, and the key set contains the matching key; valid behavior"
    case .unknownKey: "ID tokens refer to a key ID that is not in the key set"
    case .missingKeyId: "ID tokens do not contain a key ID"
    case .criticalExtension: "ID tokens require an unknown extension (`crit`)"
    case .singleKey: "the key set contains only the signing key; valid behavior"
    case .severalKeys: "the key set contains several keys of the same type; valid behavior"
    case .oddKeys: "the key set also contains keys for other uses and of unknown types; valid behavior"
    case .noKeys: "the key set is empty"
    case .lateKeyRotation: "the signing key is rotated before each ID token is issued; valid behavior"
    case .wrongMetadataIssuer: "the discovery document contains another issuer"
    case .incompleteMetadata: "the discovery document does not contain a token endpoint"
    case .insecureEndpoints: "the discovery document lists endpoints without TLS"
    case .movedEndpoints: "endpoints have unusual URLs, listed only in the discovery document; valid behavior"
    case .plainChallengeOnly: "the discovery document lists only the plain code challenge method"
    case .wrongState: "redirects contain the state from another sign-in"
    case .missingState: "redirects do not contain a state"
    case .announcedIssuer:
      "redirects contain the issuer, and the discovery document advertises this (RFC 9207); valid behavior"
    case .missingResponseIssuer: "redirects do not contain the issuer, even though the discovery document advertises it"
    case .wrongResponseIssuer: "redirects contain another provider's issuer"
    case .injectedCode: "redirects contain another user's authorization code"
    case .redeemedCode: "redirects contain an authorization code that was already redeemed"
    case .otherRedirectCode: "redirects contain an authorization code for another of the app's redirect URIs"
    case .lostChallenge: "the code challenge is removed from the request, as an attacker could do"
    case .uncheckedChallenge: "the token endpoint does not check the code verifier"
    case .missingIdToken: "token responses do not contain an ID token"
    case .missingAccessToken: "token responses do not contain an access token"
    case .missingClientInfo: "token responses do not contain `client_info`"
    case .fewerScopes: "token responses grant fewer scopes than requested"
    case .wrongTokenType: "token responses have a token type other than `Bearer`"
    case .redirectingTokenEndpoint: "the token endpoint redirects to another host"
    case .wrongUserinfoSubject: "UserInfo responses contain another user's subject"
    case .missingLogoutState: "sign-out redirects do not contain a state"
    case .wrongLogoutState: "sign-out redirects contain a different state"
    case .oversizedMetadata: "the discovery document is larger than clients accept"
    case .oversizedKeys: "the key set is larger than clients accept"
    case .oversizedTokens: "the token response is larger than clients accept"
    case .oversizedUserinfo: "the UserInfo response is larger than clients accept"
    case .endlessMetadata: "the discovery document never ends"
    case .endlessKeys: "the key set never ends"
    case .endlessTokens: "the token response never ends"
    case .endlessUserinfo: "the UserInfo response never ends"
    }
  }

  /// A Markdown table of all misbehaviors, for the reference documentation.
  package static var table: String {
    let lines = allCases.map { "| `\($0.rawValue)` | \($0.summary) |" }
    return """
      # Misbehaviors

      Protocol violations and unusual but valid behavior of the emulator. A client must detect violations and accept valid
      behavior.

      In a workflow, write `simulate: [misbehaves: wrong-issuer]`. In the [control interface](<doc:EmulatorControl>), send
      the event `{"misbehaves": "wrong-issuer"}`. A misbehavior stays active until a `stopsMisbehaving` event ends it. The
      workflows in `Workflows/conformance` cover every misbehavior.

      | Name | Behavior |
      |---|---|
      \(lines.joined(separator: "\n"))

      """
  }
}
