import Documents
import OrderedCollections

/// Claims that an app, or the API that it calls, asks for by name (OpenID Connect Core §5.5), with MSAL's rules.
package struct ClaimsRequest: Hashable, Sendable {
  package enum Target: String, Hashable, Sendable, CaseIterable {
    case idToken = "id_token"
    case accessToken = "access_token"
  }

  /// What is asked about one claim; with nothing said, the claim is asked for voluntarily.
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

  /// Reads a claims request: only `id_token` and `access_token` at the top; each claim null or an object with
  /// `essential`, `value` or `values`.
  package init(_ json: JSON) throws(ClaimsRequestFailure) {
    guard let targets = json.object else { throw ClaimsRequestFailure(reason: "a claims request is an object") }
    for (name, asked) in targets {
      guard let target = Target(rawValue: name) else {
        throw ClaimsRequestFailure(reason: "“\(name)” is neither id_token nor access_token")
      }
      guard let asked = asked.object else { throw ClaimsRequestFailure(reason: "“\(name)” is no object") }
      for (claim, details) in asked { request(claim, in: target, try Self.details(details, of: claim)) }
    }
  }

  /// Reads the text of a claims challenge or of a settings key.
  package init(parsing text: String) throws(ClaimsRequestFailure) {
    guard let json = try? JSON(parsing: Array(text.utf8)) else { throw ClaimsRequestFailure(reason: "it is no JSON") }
    try self.init(json)
  }

  private static func details(_ json: JSON, of claim: String) throws(ClaimsRequestFailure) -> Details? {
    if json.isNull { return nil }
    guard let members = json.object else {
      throw ClaimsRequestFailure(reason: "“\(claim)” is neither null nor an object")
    }
    guard ["essential", "value", "values"].contains(where: { members[$0] != nil }) else {
      throw ClaimsRequestFailure(reason: "“\(claim)” has none of essential, value and values")
    }
    var details = Details(value: members["value"])
    if let essential = members["essential"] {
      guard let flag = essential.bool ?? essential.number.map({ $0 != 0 }) else {
        throw ClaimsRequestFailure(reason: "essential of “\(claim)” is neither true nor false")
      }
      details.essential = flag
    }
    if let values = members["values"] {
      guard let list = values.array else { throw ClaimsRequestFailure(reason: "values of “\(claim)” is no list") }
      details.values = list
    }
    return details
  }

  /// Asks for a claim; asking again replaces what was said before.
  package mutating func request(_ claim: String, in target: Target, _ details: Details? = nil) {
    claims[target, default: [:]].updateValue(details, forKey: claim)
  }

  /// Both requests in one; where both ask for a claim, the other's word counts.
  package func adding(_ other: ClaimsRequest) -> ClaimsRequest {
    var copy = self
    for (target, asked) in other.claims {
      for (name, details) in asked { copy.request(name, in: target, details) }
    }
    return copy
  }

  package var hasClaims: Bool { claims.values.contains { !$0.isEmpty } }

  /// The same request with the app's capabilities (`xms_cc` of the access token), whatever was asked before. Without
  /// capabilities nothing changes.
  package func declaring(capabilities: [String]?) -> ClaimsRequest {
    guard let capabilities, !capabilities.isEmpty else { return self }
    var copy = self
    copy.request("xms_cc", in: .accessToken, Details(values: capabilities.map { .string($0) }))
    return copy
  }

  /// Keys sorted; `{}` where nothing is asked.
  package var json: JSON {
    var targets: OrderedDictionary<String, JSON> = [:]
    for target in Target.allCases.sorted(by: { $0.rawValue < $1.rawValue }) {
      guard let asked = claims[target], !asked.isEmpty else { continue }
      var members: OrderedDictionary<String, JSON> = [:]
      for (name, details) in asked.sorted(by: { $0.key < $1.key }) { members[name] = details?.json ?? .null }
      targets[target.rawValue] = .object(members)
    }
    return .object(targets)
  }

  /// The `claims` parameter; nil where nothing is asked.
  package var parameter: String? { hasClaims ? json.text(sortedKeys: true) : nil }
}

/// Why a claims request cannot be sent.
package struct ClaimsRequestFailure: Error, Hashable, Sendable {
  package var reason: String
}
