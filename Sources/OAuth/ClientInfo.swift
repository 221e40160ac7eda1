import Documents
import OrderedCollections

/// The `client_info` value in a token response. It identifies the user and the home tenant.
package struct ClientInfo: Hashable, Sendable {
  /// The user's object ID in the home tenant.
  package var uid: String
  /// The ID of the home tenant.
  package var utid: String

  package init(uid: String, utid: String) {
    self.uid = uid
    self.utid = utid
  }

  /// Decodes base64url-encoded JSON.
  package init(encoded: String) throws(ClientInfoFailure) {
    guard let bytes = try? Base64URL.decode(encoded) else { throw ClientInfoFailure(reason: "not base64url") }
    guard let json = try? JSON(parsing: bytes), json.object != nil else {
      throw ClientInfoFailure(reason: "not a JSON object")
    }
    guard let uid = json["uid"]?.string, let utid = json["utid"]?.string else {
      throw ClientInfoFailure(reason: "`uid` or `utid` is missing")
    }
    self.init(uid: uid, utid: utid)
  }

  package var encoded: String {
    Base64URL.encode(JSON.object(["uid": .string(uid), "utid": .string(utid)]).text().utf8)
  }

  /// MSAL's account identifier, `uid.utid`, trimmed and lowercased.
  package var homeAccountID: String { "\(uid).\(utid)".trimmingSpaces().lowercased() }
}

/// An invalid `client_info`.
package struct ClientInfoFailure: Error, Hashable, Sendable {
  package var reason: String
}
