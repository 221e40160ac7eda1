import Directory
import Documents
import Effects
import OAuth
import OrderedCollections

/// `/{tenant}/discovery/v2.0/keys`: the public halves of the signing keys.
enum KeysEndpoint {
  static func answer(
    _ exchange: EmulatorRequest, _ platform: Platform, realm: Realm, isVersion1: Bool
  ) -> ResponseMessage {
    let (rotations, ways) = platform.withState { ($0.rotations, $0.misbehaviors) }
    let mint = TokenIssuer(platform: platform, exchange: exchange)
    let issuer = mint.issuer(
      tenantID: realm.kind == .consumers ? Tenant.personalID : "{tenantid}", policy: realm.policy)
    let shown = realm.policy == nil && !isVersion1 ? issuer : nil
    guard ways.isEmpty else {
      return ResponseBuilder.metadata(keySet(platform, rotations, ways, issuer: shown), to: exchange)
    }
    let document = platform.keys.documents.document(["keys", String(rotations), shown ?? ""]) {
      keySet(platform, rotations, ways, issuer: shown).utf8(sortedKeys: false)
    }
    return ResponseBuilder.metadata(document, to: exchange)
  }

  private static func keySet(
    _ platform: Platform, _ rotations: Int, _ ways: OrderedSet<Misbehavior>, issuer: String?
  ) -> JSON {
    let keys = platform.keys.published(after: rotations, ways)
    let real = keys.map { key -> JSON in
      var json = key.publicKey.json
      if let issuer { json["issuer"] = .string(issuer) }
      return json
    }
    let odd = ways.contains(.oddKeys) ? keys.first.map { oddities(around: $0.publicKey, among: platform.keys) } : nil
    return ["keys": .array((odd ?? []) + real)]
  }

  /// What else real key sets hold: keys for other purposes, of kinds that came later, too small, broken, and one that
  /// has the name of the right one (RFC 7517 §5: what is not understood should be ignored).
  private static func oddities(around key: JWK, among ring: SigningKeyRing) -> [JSON] {
    var encryption = key.json
    encryption["kid"] = "for-encryption"
    encryption["use"] = "enc"
    var odd: [JSON] = [
      ["kty": "oct", "kid": "shared", "use": "sig"],
      ["kty": "OKP", "crv": "Ed25519", "kid": "edwards", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"],
      ["kty": "EC", "crv": "P-256", "kid": "off-the-curve", "x": "AA", "y": "AA"], ["kid": "of-no-kind"],
      encryption,
    ]
    if case .rsa(let modulus, _) = key.material {
      odd.append([
        "kty": "RSA", "kid": "small", "use": "sig", "n": .string(Base64URL.encode(modulus.suffix(128))), "e": "AQAB",
      ])
    }
    if var namesake = ring.keys.last(where: { $0.publicKey.keyID != key.keyID })?.publicKey.json {
      namesake["kid"] = key.keyID.map { .string($0) }
      odd.append(namesake)
    }
    return odd
  }
}
