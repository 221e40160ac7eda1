import Documents
import OrderedCollections

/// Who signed in, as the platform's `client_info` says it: the user's and the tenant's id at home.
package struct ClientInfo: Hashable, Sendable {
  /// The user's object id in the home tenant.
  package var uid: String
  /// The home tenant's id.
  package var utid: String

  package init(uid: String, utid: String) {
    self.uid = uid
    self.utid = utid
  }

  /// Reads the base64url JSON of an answer.
  package init(encoded: String) throws(ClientInfoFailure) {
    guard let bytes = try? Base64URL.decode(encoded) else { throw ClientInfoFailure(reason: "it is no base64url text") }
    guard let json = try? JSON(parsing: bytes), json.object != nil else {
      throw ClientInfoFailure(reason: "it holds no JSON object")
    }
    guard let uid = json["uid"]?.string, let utid = json["utid"]?.string else {
      throw ClientInfoFailure(reason: "uid or utid is missing")
    }
    self.init(uid: uid, utid: utid)
  }

  package var encoded: String {
    Base64URL.encode(JSON.object(["uid": .string(uid), "utid": .string(utid)]).text().utf8)
  }

  /// MSAL's key of an account, `uid.utid`, trimmed and in lower case.
  package var homeAccountID: String { "\(uid).\(utid)".trimmingSpaces().lowercased() }
}

/// Why a `client_info` cannot be used.
package struct ClientInfoFailure: Error, Hashable, Sendable {
  package var reason: String
}
