import Documents
import OrderedCollections

/// What silent, interactive and deviceCode all take.
package struct TokenParameters: Sendable {
  /// The settings' scopes where nothing is said.
  package var scopes: Resolvable<[String]>?
  package var authority: Resolvable<String>?
  /// The account's identifier or username; the current account where nothing is said.
  package var account: Resolvable<String>?
  /// A claims request: a JSON object.
  package var claims: Resolvable<JSON>?
  package var extraQueryParameters: Resolvable<OrderedDictionary<String, String>>?
  package var correlationId: Resolvable<String>?
  package var authenticationScheme: Resolvable<AuthenticationScheme>?
  /// Also asks the userinfo endpoint, whose `sub` must be the ID token's.
  package var userinfo: Resolvable<Bool>?

  /// MSALAuthScheme. Proof of possession is refused: its requests are signed with a key of the device's own.
  package enum AuthenticationScheme: String, Sendable, CaseIterable {
    case bearer = "Bearer"
  }

  package init() {}

  /// The same, with what it does not say taken from the step that it stands in for.
  package func inheriting(from other: TokenParameters) -> TokenParameters {
    var parameters = self
    parameters.scopes = scopes ?? other.scopes
    parameters.authority = authority ?? other.authority
    parameters.account = account ?? other.account
    parameters.claims = claims ?? other.claims
    return parameters
  }
}

/// A kind of step that acquires a token.
protocol TokenAcquiringStep: Sendable {
  var token: TokenParameters { get set }
}

extension TokenAcquiringStep {
  /// The declarations that all such kinds share.
  static var tokenFields: [Field<Self>] {
    [
      Field(
        "scopes", Codec<[String]>.scopes.resolvable, into: \.token.scopes,
        "the scopes to ask for; the settings' by default"),
      Field(
        "authority", Codec<String>.nonEmptyString.resolvable, into: \.token.authority,
        "the authority for this request; the settings' by default"),
      Field(
        "account", Codec<String>.nonEmptyString.resolvable, into: \.token.account,
        "the account, by identifier or username; the current one by default"),
      Field(
        "claims", Codec<JSON>.claims.resolvable, into: \.token.claims,
        "a claims request: {access_token: {acrs: {essential: true, value: c1}}}"),
      Field(
        "extraQueryParameters", Codec<OrderedDictionary<String, String>>.stringMap.resolvable,
        into: \.token.extraQueryParameters, "sent along on the authorize and token URLs"),
      Field(
        "correlationId", Codec<String>.uuid.resolvable, into: \.token.correlationId,
        "the request's correlation id; a fresh one by default"),
      Field(
        "authenticationScheme", Codec<TokenParameters.AuthenticationScheme>.scheme.resolvable,
        into: \.token.authenticationScheme, default: "Bearer",
        "how the token is shown to the API; Bearer, since proof of possession needs the device's own keys"),
      Field(
        "userinfo", Codec<Bool>.bool.resolvable, into: \.token.userinfo, default: false,
        "whether the userinfo endpoint is asked as well; its claims are $.userInfo"),
    ]
  }
}

extension Codec where Value == TokenParameters.AuthenticationScheme {
  static var scheme: Self {
    let plain = Codec<TokenParameters.AuthenticationScheme>.enumeration()
    return Self(expecting: plain.expectation, schema: plain.schema()) { node, problems in
      switch node.string?.lowercased() {
      case "bearer": return .bearer
      case "pop":
        problems.error(
          "proof-of-possession", "proof-of-possession tokens are not supported: they are bound to a key of the device",
          help: "use Bearer, or leave the key out", at: node)
        return nil
      default: return plain.read(node, &problems)
      }
    }
  }
}

extension Codec where Value == [String] {
  /// Scopes: a list, or one string in which spaces separate them.
  static var scopes: Self {
    Self(
      expecting: "a list of scopes",
      schema: [
        "anyOf": [
          ["type": "array", "items": ["type": "string", "minLength": 1]], ["type": "string", "minLength": 1],
        ]
      ]
    ) { node, problems in
      if node.kind == .string {
        return Codec<String>.nonEmptyString.read(node, &problems)?.split(separator: " ").map(String.init)
      }
      guard node.kind == .array else {
        problems.mismatch(node, expected: "a list of scopes")
        return nil
      }
      var scopes: [String] = []
      for element in node.elements {
        guard let scope = Codec<String>.nonEmptyString.read(element, &problems) else { continue }
        if scope.contains(" ") {
          problems.error(
            "scope-with-space", "\"\(scope)\" is more than one scope", help: "make each an element of the list",
            at: element)
        } else {
          scopes.append(scope)
        }
      }
      return scopes
    }
  }
}

extension Codec where Value == String {
  /// `8-4-4-4-12` hexadecimal digits.
  static var uuid: Self {
    Self(
      expecting: "a UUID", schema: ["type": "string", "format": "uuid"]
    ) { node, problems in
      guard let text = Codec<String>.nonEmptyString.read(node, &problems) else { return nil }
      if text.wholeMatch(of: /[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/) != nil { return text }
      problems.error("unknown-value", "\"\(text)\" is no UUID", help: "write 8-4-4-4-12 hexadecimal digits", at: node)
      return nil
    }
  }
}

extension Codec where Value == OrderedDictionary<String, String> {
  /// A mapping from names to texts; numbers and true or false are taken as they are written.
  static var stringMap: Self {
    Self(
      expecting: "a mapping from names to texts",
      schema: ["type": "object", "additionalProperties": ["type": ["string", "number", "boolean"]]]
    ) { node, problems in
      guard node.kind == .mapping else {
        problems.mismatch(node, expected: "a mapping from names to texts")
        return nil
      }
      var values: OrderedDictionary<String, String> = [:]
      for (key, value) in node.entries {
        if problems.tellSplitAtComma(key, value) { continue }
        guard let name = key.string ?? key.scalarText else { continue }
        switch value.kind {
        case .string, .integer, .real, .bool: values[name] = value.string ?? value.scalarText ?? ""
        default: problems.mismatch(value, expected: "a string, a number, or true or false")
        }
      }
      return values
    }
  }
}

extension Codec where Value == JSON {
  /// A claims request (OpenID Connect Core §5.5): a mapping, or the same as JSON text.
  static var claims: Self {
    Self(
      expecting: "a mapping with access_token or id_token",
      schema: [
        "anyOf": [
          [
            "type": "object", "properties": ["access_token": ["type": "object"], "id_token": ["type": "object"]],
            "additionalProperties": false,
          ],
          ["type": "string"],
        ]
      ]
    ) { node, problems in
      var value = node.json
      if let text = node.string {
        guard let parsed = try? JSON(parsing: Array(text.utf8)) else {
          problems.error(
            "claims", "the claims are no JSON", help: "write them as a mapping: {access_token: {…}}", at: node)
          return nil
        }
        value = parsed
      }
      guard let members = value.object else {
        problems.mismatch(node, expected: "a mapping with access_token or id_token")
        return nil
      }
      // MSAL's claims request knows these two targets only; anything else is -42000.
      for name in members.keys where name != "access_token" && name != "id_token" {
        problems.error(
          "claims", "\"\(name)\" is no target of a claims request", help: "the targets are access_token and id_token",
          at: node.entry(name)?.key ?? node)
        return nil
      }
      return value
    }
  }
}
