import Directory
import Documents
import Effects
import OAuth
import OrderedCollections

/// `/{tenant}/discovery/v2.0/keys`: returns the public signing keys (RFC 7517 §5).
enum KeysEndpoint {
  static func response(
    to exchange: EmulatorRequest, _ platform: Platform, realm: Realm, isVersion1: Bool
  ) -> ResponseMessage {
    let (rotations, misbehaviors) = platform.withState { ($0.rotations, $0.misbehaviors) }
    let tokenIssuer = TokenIssuer(platform: platform, exchange: exchange)
    let issuer = tokenIssuer.issuer(
      tenantID: realm.kind == .consumers ? Tenant.personalID : "{tenantid}", policy: realm.policy)
    let publishedIssuer = realm.policy == nil && !isVersion1 ? issuer : nil
    guard misbehaviors.isEmpty else {
      return ResponseBuilder.metadata(keySet(platform, rotations, misbehaviors, issuer: publishedIssuer), to: exchange)
    }
    let document = platform.keys.documents.document(["keys", String(rotations), publishedIssuer ?? ""]) {
      keySet(platform, rotations, misbehaviors, issuer: publishedIssuer).utf8(sortedKeys: false)
    }
    return ResponseBuilder.metadata(document, to: exchange)
  }

  private static func keySet(
    _ platform: Platform, _ rotations: Int, _ misbehaviors: OrderedSet<Misbehavior>, issuer: String?
  ) -> JSON {
    let keys = platform.keys.published(after: rotations, misbehaviors)
    let regular = keys.map { key -> JSON in
      var json = key.publicKey.json
      if let issuer { json["issuer"] = .string(issuer) }
      return json
    }
    let unusual =
      misbehaviors.contains(.oddKeys) ? keys.first.map { unusualKeys(for: $0.publicKey, among: platform.keys) } : nil
    return ["keys": .array((unusual ?? []) + regular)]
  }

  /// Returns keys that a client must ignore or reject: keys with a different purpose or an unknown type, keys that are
  /// too small or invalid, and a key with the `kid` of the actual key (RFC 7517 §5: implementations should ignore
  /// unsupported keys).
  private static func unusualKeys(for key: JWK, among ring: SigningKeyRing) -> [JSON] {
    var encryption = key.json
    encryption["kid"] = "for-encryption"
    encryption["use"] = "enc"
    var unusual: [JSON] = [
      ["kty": "oct", "kid": "shared", "use": "sig"],
      ["kty": "OKP", "crv": "Ed25519", "kid": "edwards", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"],
      ["kty": "EC", "crv": "P-256", "kid": "off-the-curve", "x": "AA", "y": "AA"], ["kid": "of-no-kind"],
      encryption,
    ]
    if case .rsa(let modulus, _) = key.material {
      unusual.append([
        "kty": "RSA", "kid": "small", "use": "sig", "n": .string(Base64URL.encode(modulus.suffix(128))), "e": "AQAB",
      ])
    }
    if var namesake = ring.keys.last(where: { $0.publicKey.keyID != key.keyID })?.publicKey.json {
      namesake["kid"] = key.keyID.map { .string($0) }
      unusual.append(namesake)
    }
    return unusual
  }
}
