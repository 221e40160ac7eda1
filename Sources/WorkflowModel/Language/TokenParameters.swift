import Documents
import OrderedCollections

/// The parameters that `silent`, `interactive`, and `deviceCode` have in common.
package struct TokenParameters: Sendable {
  /// The scopes to request. The default is the scopes in the settings.
  package var scopes: Resolvable<[String]>?
  package var authority: Resolvable<String>?
  /// The identifier or username of the account. The default is the current account.
  package var account: Resolvable<String>?
  /// A claims request, which is a JSON object.
  package var claims: Resolvable<JSON>?
  package var extraQueryParameters: Resolvable<OrderedDictionary<String, String>>?
  package var correlationId: Resolvable<String>?
  package var authenticationScheme: Resolvable<AuthenticationScheme>?
  /// Whether to also call the userinfo endpoint. The `sub` of its response must match the ID token (OpenID Connect Core
  /// §5.3.2).
  package var userinfo: Resolvable<Bool>?

  /// The authentication scheme, as in MSALAuthScheme. authflow does not support proof of possession, because that
  /// scheme signs requests with a device key.
  package enum AuthenticationScheme: String, Sendable, CaseIterable {
    case bearer = "Bearer"
  }

  package init() {}

  /// Returns these parameters of a fallback, with missing values taken from the step that falls back to it.
  package func inheriting(from other: TokenParameters) -> TokenParameters {
    var parameters = self
    parameters.scopes = scopes ?? other.scopes
    parameters.authority = authority ?? other.authority
    parameters.account = account ?? other.account
    parameters.claims = claims ?? other.claims
    return parameters
  }
}

/// The parameters of a step type that acquires a token.
protocol TokenAcquiringStep: Sendable {
  var token: TokenParameters { get set }
}

extension TokenAcquiringStep {
  /// The keys that all token steps have in common.
  static var tokenFields: [Field<Self>] {
    [
      Field(
        "scopes", Codec<[String]>.scopes.resolvable, into: { $0.token.scopes = $1 },
        "scopes to request (default: the scopes in the settings)"),
      Field(
        "authority", Codec<String>.nonEmptyString.resolvable, into: { $0.token.authority = $1 },
        "authority for this request (default: the authority in the settings)"),
      .account { $0.token.account = $1 },
      Field(
        "claims", Codec<JSON>.claims.resolvable, into: { $0.token.claims = $1 },
        "claims request: `{access_token: {acrs: {essential: true, value: c1}}}`"),
      Field(
        "extraQueryParameters", Codec<OrderedDictionary<String, String>>.stringMap.resolvable,
        into: { $0.token.extraQueryParameters = $1 }, "additional query parameters for the authorize and token URLs"),
      .correlationID { $0.token.correlationId = $1 },
      Field(
        "authenticationScheme", Codec<TokenParameters.AuthenticationScheme>.scheme.resolvable,
        into: { $0.token.authenticationScheme = $1 }, default: "Bearer",
        "authentication scheme for API requests; only `Bearer` is supported"),
      Field(
        "userinfo", Codec<Bool>.bool.resolvable, into: { $0.token.userinfo = $1 }, default: false,
        "whether to also call the userinfo endpoint; `$.userInfo` contains the claims"),
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
          "proof-of-possession", "proof-of-possession tokens are not supported: they require a device key",
          help: "use `Bearer`, or remove the key", at: node)
        return nil
      default: return plain.read(node, &problems)
      }
    }
  }
}

extension Codec where Value == [String] {
  /// A list of scopes, or one string with scopes separated by spaces.
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
            "scope-with-space", "more than one scope in `\(scope)`", help: "use a separate list element for each",
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
  /// A UUID with `8-4-4-4-12` hexadecimal digits.
  static var uuid: Self {
    Self(
      expecting: "a UUID", schema: ["type": "string", "format": "uuid"]
    ) { node, problems in
      guard let text = Codec<String>.nonEmptyString.read(node, &problems) else { return nil }
      if text.wholeMatch(of: /[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/) != nil { return text }
      problems.error(
        "unknown-value", "invalid UUID `\(text)`", help: "use 8-4-4-4-12 hexadecimal digits", at: node)
      return nil
    }
  }
}

extension Codec where Value == OrderedDictionary<String, String> {
  /// A mapping from names to strings. Numbers and booleans are converted to strings as written.
  static var stringMap: Self {
    Self(
      expecting: "a mapping from names to strings",
      schema: ["type": "object", "additionalProperties": ["type": ["string", "number", "boolean"]]]
    ) { node, problems in
      guard node.kind == .mapping else {
        problems.mismatch(node, expected: "a mapping from names to strings")
        return nil
      }
      var values: OrderedDictionary<String, String> = [:]
      for (key, value) in node.entries {
        if problems.reportSplitAtComma(key, value) { continue }
        guard let name = key.scalarText else { continue }
        switch value.kind {
        case .string, .integer, .real, .bool: values[name] = value.scalarText ?? ""
        default: problems.mismatch(value, expected: "a string, a number, or a boolean")
        }
      }
      return values
    }
  }
}

extension Codec where Value == JSON {
  /// A claims request (OpenID Connect Core §5.5): a mapping, or its JSON text.
  static var claims: Self {
    Self(
      expecting: "a mapping with `access_token` or `id_token`",
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
            "claims", "claims are not valid JSON", help: "use a mapping: `{access_token: {…}}`", at: node)
          return nil
        }
        value = parsed
      }
      guard let members = value.object else {
        problems.mismatch(node, expected: "a mapping with `access_token` or `id_token`")
        return nil
      }
      // MSAL's claims request supports only these two members and rejects all others with -42000.
      for name in members.keys where name != "access_token" && name != "id_token" {
        problems.error(
          "claims", "unknown member `\(name)` in a claims request", help: "use `access_token` or `id_token`",
          at: node.entry(name)?.key ?? node)
        return nil
      }
      return value
    }
  }
}
