import Documents
import OrderedCollections
import WorkflowModel

/// Sample result values, from which the members in JSONPaths are derived.
enum ResultShape {
  /// Returns a sample value for a step's result, or nil if the structure is unknown.
  static func sample(of step: WorkflowOutline.StepEntry) -> JSON? {
    switch step.kind?.key {
    case "loadAccount": account
    case "listAccounts": [account]
    case "silent", "interactive", "deviceCode": token
    case "deviceInfo":
      [
        "deviceMode": "default", "hasAADSSOExtension": false, "configuredPreferredAuthMethod": nil,
        "extraDeviceInformation": [:],
      ]
    case "callGraph":
      if let batch = step.parameters?["batch"] {
        batch.kind == .sequence ? ["responses": [["id": "1", "status": 200, "headers": [:], "body": [:]]]] : nil
      } else {
        (step.parameters?.scalar ?? step.parameters?["get"]?.scalar).flatMap(GraphShape.sample)
      }
    default: nil
    }
  }

  private static let account: JSON = [
    "identifier": "", "username": "", "environment": "",
    "homeAccountId": ["identifier": "", "objectId": "", "tenantId": ""], "isSSOAccount": false,
    "tenantProfiles": [tenantProfile], "accountClaims": [:],
  ]

  private static let tenantProfile: JSON = [
    "identifier": "", "tenantId": "", "environment": "", "isHomeTenantProfile": true, "claims": [:],
  ]

  private static let token: JSON = [
    "account": account, "tenantProfile": tenantProfile, "scopes": [""], "expiresOn": "",
    "extendedLifeTimeToken": false, "authority": "", "correlationId": "", "tokenType": "", "tokenSource": "",
    "idTokenClaims": ["aud": "", "iss": "", "tid": "", "oid": "", "sub": "", "preferred_username": "", "name": ""],
  ]

  /// Returns the paths that extend a JSONPath by one member or element.
  /// - Parameter entered: The JSONPath before the cursor. Its last member name may be incomplete.
  static func paths(in sample: JSON, after entered: String) -> [(path: String, type: String)] {
    let base = base(of: entered)
    guard let value = follow(base.dropFirst(), in: sample) else { return [] }
    var found: [(path: String, type: String)] = []
    if entered.isEmpty || entered == "$" { found.append(("$", "value of the result")) }
    if value.array != nil {
      found.append(("\(base)[0]", "first element"))
      found.append(("\(base)[*]", "all elements"))
    }
    for (name, member) in value.object ?? [:] {
      let isName = name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }
      found.append((isName ? "\(base).\(name)" : "\(base)['\(name)']", Self.type(of: member)))
    }
    return found
  }

  private static func type(of value: JSON) -> String {
    switch value {
    case .object: "mapping"
    case .array: "list"
    case .null: "string"
    default: value.typeName
    }
  }

  /// Returns the part of a JSONPath before its last name.
  private static func base(of entered: String) -> Substring {
    guard entered.hasPrefix("$") else { return "$" }
    let end = entered.lastIndex { $0 == "." || $0 == "[" }
    if let end, entered[end] == "[", entered.hasSuffix("]") { return entered[...] }
    return end.map { entered[..<$0] } ?? "$"
  }

  /// Returns the value at a path that consists of names and elements, or nil.
  private static func follow(_ path: Substring, in sample: JSON) -> JSON? {
    var value: JSON? = sample
    var rest = path
    while let first = rest.first {
      if first == "[" {
        guard let close = rest.firstIndex(of: "]") else { return nil }
        let content = rest[rest.index(after: rest.startIndex)..<close]
        let name = content.trimmingQuotes
        value = name.count < content.count ? value?[String(name)] : value?[0]
        rest = rest[rest.index(after: close)...]
      } else if first == "." {
        rest = rest.dropFirst()
      } else {
        let name = rest.prefix { $0 != "." && $0 != "[" }
        value = value?[String(name)]
        rest = rest[name.endIndex...]
      }
    }
    return value
  }
}

extension Substring {
  fileprivate var trimmingQuotes: Substring {
    guard count >= 2, let first, first == "'" || first == "\"", last == first else { return self }
    return dropFirst().dropLast()
  }
}
