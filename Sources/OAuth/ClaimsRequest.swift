import Documents
import OrderedCollections

/// The `claims` request parameter (OpenID Connect Core §5.5), with MSAL's restrictions.
package struct ClaimsRequest: Hashable, Sendable {
  package enum Target: String, Hashable, Sendable, CaseIterable {
    case idToken = "id_token"
    case accessToken = "access_token"
  }

  /// The requirements for a claim (OpenID Connect Core §5.5.1). A claim without details is voluntary.
  package struct Details: Hashable, Sendable {
    package var essential: Bool?
    package var value: JSON?
    package var values: [JSON]?

    package init(essential: Bool? = nil, value: JSON? = nil, values: [JSON]? = nil) {
      self.essential = essential
      self.value = value
      self.values = values
    }

    fileprivate var json: JSON {
      var members: OrderedDictionary<String, JSON> = [:]
      if let essential { members["essential"] = .bool(essential) }
      if let value { members["value"] = value }
      if let values { members["values"] = .array(values) }
      return .object(members)
    }
  }

  private var claims: [Target: [String: Details?]] = [:]

  package init() {}

  /// Parses a claims request. The only allowed top-level keys are `id_token` and `access_token`. Each claim is null or
  /// an object with `essential`, `value`, or `values`.
  package init(_ json: JSON) throws(ClaimsRequestFailure) {
    guard let targets = json.object else { throw ClaimsRequestFailure(reason: "the claims request is not an object") }
    for (name, claims) in targets {
      guard let target = Target(rawValue: name) else {
        throw ClaimsRequestFailure(reason: "`\(name)` is neither `id_token` nor `access_token`")
      }
      guard let claims = claims.object else { throw ClaimsRequestFailure(reason: "`\(name)` is not an object") }
      for (claim, details) in claims { request(claim, in: target, try Self.details(details, of: claim)) }
    }
  }

  /// Parses the text of a claims challenge or a settings key.
  package init(parsing text: String) throws(ClaimsRequestFailure) {
    guard let json = try? JSON(parsing: Array(text.utf8)) else {
      throw ClaimsRequestFailure(reason: "the claims request is not JSON")
    }
    try self.init(json)
  }

  private static func details(_ json: JSON, of claim: String) throws(ClaimsRequestFailure) -> Details? {
    if json.isNull { return nil }
    guard let members = json.object else {
      throw ClaimsRequestFailure(reason: "`\(claim)` is neither `null` nor an object")
    }
    guard ["essential", "value", "values"].contains(where: { members[$0] != nil }) else {
      throw ClaimsRequestFailure(reason: "`\(claim)` does not contain `essential`, `value`, or `values`")
    }
    var details = Details(value: members["value"])
    if let essential = members["essential"] {
      guard let flag = essential.bool ?? essential.number.map({ $0 != 0 }) else {
        throw ClaimsRequestFailure(reason: "`essential` in `\(claim)` is not a boolean")
      }
      details.essential = flag
    }
    if let values = members["values"] {
      guard let list = values.array else {
        throw ClaimsRequestFailure(reason: "`values` in `\(claim)` is not a list")
      }
      details.values = list
    }
    return details
  }

  /// Requests a claim. A second request for the same claim replaces the first.
  package mutating func request(_ claim: String, in target: Target, _ details: Details? = nil) {
    claims[target, default: [:]].updateValue(details, forKey: claim)
  }

  /// Merges two requests. If both request the same claim, the details in `other` apply.
  package func adding(_ other: ClaimsRequest) -> ClaimsRequest {
    var copy = self
    for (target, claims) in other.claims {
      for (name, details) in claims { copy.request(name, in: target, details) }
    }
    return copy
  }

  package var hasClaims: Bool { claims.values.contains { !$0.isEmpty } }

  /// Adds the client capabilities as the access token claim `xms_cc`, replacing any previous value. Returns the request
  /// unchanged if there are no capabilities.
  package func declaring(capabilities: [String]?) -> ClaimsRequest {
    guard let capabilities, !capabilities.isEmpty else { return self }
    var copy = self
    copy.request("xms_cc", in: .accessToken, Details(values: capabilities.map { .string($0) }))
    return copy
  }

  /// The request as JSON with sorted keys, or `{}` if the request is empty.
  package var json: JSON {
    var targets: OrderedDictionary<String, JSON> = [:]
    for target in Target.allCases.sorted(by: { $0.rawValue < $1.rawValue }) {
      guard let requested = claims[target], !requested.isEmpty else { continue }
      var members: OrderedDictionary<String, JSON> = [:]
      for (name, details) in requested.sorted(by: { $0.key < $1.key }) { members[name] = details?.json ?? .null }
      targets[target.rawValue] = .object(members)
    }
    return .object(targets)
  }

  /// The `claims` parameter, or nil if the request is empty.
  package var parameter: String? { hasClaims ? json.text(sortedKeys: true) : nil }
}

/// An invalid claims request.
package struct ClaimsRequestFailure: Error, Hashable, Sendable {
  package var reason: String
}
