import Directory
import Documents
import Effects
import OAuth

/// `/{tenant}/discovery/v2.0/keys`: the public halves of the signing keys.
enum KeysEndpoint {
  static func answer(_ exchange: Exchange, _ platform: Platform, realm: Realm) -> ResponseMessage {
    let rotations = platform.withState { $0.rotations }
    let mint = TokenMint(platform: platform, exchange: exchange)
    let issuer = mint.issuer(tenantID: "{tenantid}", policy: realm.policy)
    let keys = platform.keys.published(after: rotations).map { key -> JSON in
      var json = key.publicKey.json
      if realm.policy == nil { json["issuer"] = .string(issuer) }
      return json
    }
    return Answer.metadata(["keys": .array(keys)], to: exchange)
  }
}
