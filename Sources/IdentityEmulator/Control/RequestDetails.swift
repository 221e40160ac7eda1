import Documents
import Effects
import HTTPTypes
import OAuth
import OrderedCollections

/// The parameters, checks, and response of a logged request. Secrets are masked.
struct RequestDetails: Hashable, Sendable {
  /// A parameter, header, or response member with its displayed value.
  struct Part: Hashable, Sendable {
    var name: String
    var value: String
  }

  /// The query parameters.
  var query: [Part] = []
  /// The form parameters, or the members of the JSON body.
  var body: [Part] = []
  var checks: [Decision.Check] = []
  var responseHeaders: [Part] = []
  var response: [Part] = []
  /// The number of bytes in the response body.
  var responseSize = 0

  /// The maximum number of parts in each list.
  private static let partLimit = 40
  /// The maximum length of a displayed value in bytes.
  private static let valueLimit = 300
  /// The maximum size, in bytes, of a JSON body whose members are shown.
  private static let bodyLimit = 16 << 10

  init() {}

  init(_ exchange: EmulatorRequest, _ response: ResponseMessage?) {
    query = Self.parts(exchange.query)
    body = exchange.form.isEmpty ? Self.members(exchange.request.body) : Self.parts(exchange.form)
    checks = exchange.decisionLog.checks
    guard let response else { return }
    responseSize = response.body.count
    responseHeaders = Self.displayedHeaders.compactMap { name in
      response.head.headerFields[name].map { Part(name: name.rawName, value: Self.header(name, $0)) }
    }
    if response.head.headerFields[.contentType]?.contains("json") == true {
      self.response = Self.members(response.body)
    }
  }

  // MARK: Masking

  /// The names whose values are not secret: parameters of OAuth, OpenID Connect, MSAL, and Graph, fields of the sign-in
  /// pages, and members of responses. All other values are masked, so that a new parameter is not shown by mistake.
  private static let plainNames: Set<String> = [
    "account", "api-version", "brk_client_id", "cancel", "claims", "client_assertion_type", "client_id",
    "code_challenge_method", "consent", "correlation_id", "display", "domain_hint", "error", "error_codes",
    "error_description", "error_uri", "expires_in", "ext_expires_in", "foci", "grant_type", "instance_aware",
    "interval", "loginfmt", "login_hint", "max_age", "mfa", "not_before", "post_logout_redirect_uri", "prompt",
    "redirect_uri", "refresh_in", "resume", "refresh_token_expires_in", "requested_token_use", "resource",
    "response_mode",
    "response_type", "scope", "suberror", "timestamp", "token_type", "trace_id", "ui_locales", "username",
    "verification_uri", "client_info", "issuer", "@odata.context", "displayname", "id", "mail", "message",
    "userprincipalname", "authorization_endpoint", "token_endpoint", "jwks_uri",
  ]

  private static func isPlain(_ name: String) -> Bool {
    let name = name.lowercased()
    return plainNames.contains(name) || name.hasPrefix("$") || name.hasPrefix("x-client-")
  }

  /// Returns the displayed value: the value itself, or its length if it might be secret.
  private static func displayed(_ name: String, _ value: String) -> String {
    guard isPlain(name) else { return value.isEmpty ? "" : "••• (\(value.utf8.count) bytes)" }
    // A URL in a parameter can contain a query with secrets.
    guard !name.lowercased().hasSuffix("uri") else { return truncated(String(value.prefix { $0 != "?" && $0 != "#" })) }
    return truncated(value)
  }

  private static func truncated(_ value: String) -> String {
    guard value.utf8.count > valueLimit else { return value }
    return String(decoding: value.utf8.prefix(valueLimit), as: UTF8.self) + "…"
  }

  /// The hidden fields of the emulator's pages, which are not part of the protocol.
  private static let hiddenFields: Set<String> = ["flow", "signin", BrowserBinding.field]

  private static func parts(_ parameters: Parameters) -> [Part] {
    parameters.entries.filter { !hiddenFields.contains($0.name) }.prefix(partLimit).map {
      Part(name: truncated($0.name), value: displayed($0.name, $0.value))
    }
  }

  /// Returns the members of a JSON object. Nested objects and lists are summarized, except Graph errors.
  private static func members(_ body: [UInt8]) -> [Part] {
    guard !body.isEmpty, body.count <= bodyLimit, let object = (try? JSON(parsing: body))?.object else { return [] }
    return object.prefix(partLimit).map { name, value in
      let text: String =
        switch value {
        case .string(let text): displayed(name, text)
        case .object(let members) where name == "error":
          truncated([members["code"]?.string, members["message"]?.string].compactMap { $0 }.joined(separator: ": "))
        case .object(let members): "{ \(members.keys.prefix(8).joined(separator: ", ")) }"
        case .array(let list): "[ \(list.count) elements ]"
        default: truncated(value.text())
        }
      return Part(name: truncated(name), value: text)
    }
  }

  /// The response headers that explain a result.
  private static let displayedHeaders: [HTTPField.Name] = [
    .contentType, .location, .retryAfter, .wwwAuthenticate, .requestIDOfPlatform, .registeredOnTheFly,
  ]

  private static func header(_ name: HTTPField.Name, _ value: String) -> String {
    guard name == .location else { return truncated(value) }
    let target = value.prefix { $0 != "?" && $0 != "#" }
    let parameters = URLReference(value).parameters + FormCoding.parse(URLReference(value).fragment ?? "")
    guard !parameters.entries.isEmpty else { return truncated(String(target)) }
    let shown = parts(parameters).map { "\($0.name)=\($0.value)" }.joined(separator: " & ")
    return "\(truncated(String(target))) with \(truncated(shown))"
  }
}

extension RequestDetails {
  var json: JSON {
    func list(_ parts: [Part]) -> JSON {
      .array(parts.map { ["name": .string($0.name), "value": .string($0.value)] })
    }
    return [
      "query": list(query), "body": list(body),
      "checks": .array(
        checks.map { ["check": .string($0.subject), "result": .string($0.result), "passed": .bool($0.isPassed)] }),
      "response": [
        "headers": list(responseHeaders), "members": list(response), "size": .integer(Int64(responseSize)),
      ],
    ]
  }
}
