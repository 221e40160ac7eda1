import Documents
import Effects
import OrderedCollections

// The snapshot format of device sign-ins and password lockouts.

extension PasswordLockout {
  var json: JSON {
    var json: JSON = ["failures": .integer(Int64(failures))]
    if let until { json["until"] = .integer(until.secondsSince1970) }
    return json
  }

  init(_ json: JSON) {
    failures = json["failures"]?.integer.map { Int(clamping: $0) } ?? 0
    until = json["until"]?.integer.map { Instant(secondsSince1970: $0) }
  }
}

extension DeviceSignIn {
  var json: JSON {
    var members: OrderedDictionary<String, JSON> = [
      "code": .string(userCode), "client": .string(clientID), "scope": .string(scope),
      "tenant": .string(tenantSegment), "expires": .integer(expires.secondsSince1970),
    ]
    switch outcome {
    case .pending: break
    case .declined: members["outcome"] = "declined"
    case .redeemed: members["outcome"] = "redeemed"
    case .approved(let grant): members["grant"] = .string(grant)
    }
    return .object(members)
  }

  init?(_ json: JSON) {
    guard let userCode = json["code"]?.string, let clientID = json["client"]?.string,
      let scope = json["scope"]?.string, let segment = json["tenant"]?.string,
      let expires = json["expires"]?.integer
    else { return nil }
    self.init(
      userCode: userCode, clientID: clientID, scope: scope, tenantSegment: segment,
      expires: Instant(secondsSince1970: expires))
    switch json["outcome"]?.string {
    case "declined": outcome = .declined
    case "redeemed": outcome = .redeemed
    default: if let grant = json["grant"]?.string { outcome = .approved(grant: grant) }
    }
  }
}
