import Directory
import Documents
import Effects
import HTTPTypes
import OAuth
import OrderedCollections

/// A parsed Graph request and its caller.
struct GraphRequestContext: Sendable {
  let request: GraphRequest
  let caller: GraphCaller
  let randomness: any Randomness
  /// The API version: `v1.0` or `beta`.
  let version: String
  /// The unescaped path segments after the version. `users('a')` becomes two segments, and `microsoft.graph.delta()`
  /// becomes `delta`.
  let segments: [String]
  let query: ODataQuery
  /// The values of the `{}` segments in the route's path.
  var parameters: [String] = []
  /// The owner of the resource: the caller for `/me`, or the user in `/users/{id}/…`.
  var subject: GraphSubject?
  /// The tenant's registrations, grants, and sign-ins. Nil if the response does not need them.
  var records: TenantRecords?

  init(_ request: GraphRequest, caller: GraphCaller, randomness: any Randomness) throws(GraphErrorResponse) {
    self.request = request
    self.caller = caller
    self.randomness = randomness
    let parts = request.path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    let first = parts.first?.lowercased() ?? ""
    guard first == "v1.0" || first == "beta" else {
      throw .malformed("Invalid version: \(parts.first ?? "").")
    }
    version = first
    segments = parts.dropFirst().flatMap { Self.segments($0) }
    query = try ODataQuery(request.query)
  }

  /// The names of actions and functions, which paths can contain with or without their namespace.
  static let actions: Set<String> = [
    "accept", "cancel", "checkmembergroups", "checkmemberobjects", "createforward", "createreply", "createreplyall",
    "createuploadsession", "decline", "delta", "findmeetingtimes", "forward", "getmembergroups",
    "getmemberobjects", "getschedule",
    "invalidateallrefreshtokens", "move", "reply",
    "replyall", "revokesigninsessions", "send", "sendmail", "tentativelyaccept",
  ]

  /// Decodes a path segment, normalizes its namespace, and splits a segment such as `users('a')` into the collection
  /// name and the key.
  static func segments(_ escaped: Substring) -> [String] {
    var text = PercentEncoding.decode(escaped)
    for prefix in ["microsoft.graph.", "graph."] where text.lowercased().hasPrefix(prefix) {
      let name = text.dropFirst(prefix.count)
      // Actions and functions can omit the namespace. A type cast after a collection must include it.
      text =
        actions.contains(name.filter { $0 != "(" && $0 != ")" }.lowercased()) ? String(name) : "microsoft.graph.\(name)"
      break
    }
    if text.hasSuffix("()") { return [String(text.dropLast(2))] }
    if text.hasSuffix("')"), let open = text.firstRange(of: "('") {
      return [
        String(text[..<open.lowerBound]), String(text[open.upperBound...].dropLast(2)).replacing("''", with: "'"),
      ]
    }
    if text.hasSuffix("')"), let open = text.firstRange(of: "(appId='") {
      // An alternate key, as in `servicePrincipals(appId='…')`.
      return [String(text[..<open.lowerBound]), "appId=" + text[open.upperBound...].dropLast(2)]
    }
    return [text]
  }

  var method: HTTPRequest.Method { request.message.head.method }
  var now: Instant { request.now }

  /// The base URL with the version, such as `https://graph.microsoft.com/v1.0`.
  var root: String { "\(request.baseURL)/\(version)" }

  /// Returns the context URL, such as `…/$metadata#users`.
  func context(_ path: String) -> String { "\(root)/$metadata#\(path)" }

  func header(_ name: String) -> String? {
    HTTPField.Name(name).flatMap { request.message.head.headerFields[$0] }
  }

  /// Whether the caller accepts eventually consistent results (`ConsistencyLevel: eventual`).
  var isEventual: Bool { header("ConsistencyLevel")?.lowercased() == "eventual" }

  /// Returns the unquoted value of a preference in the `Prefer` header (RFC 7240), or nil if the header does not
  /// contain the preference. Returns an empty string for a preference without a value.
  func preference(_ name: String) -> String? {
    guard let field = HTTPField.Name("Prefer") else { return nil }
    for value in request.message.head.headerFields[values: field] {
      for part in value.split(whereSeparator: { $0 == "," || $0 == ";" }) {
        let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingSpaces() }
        guard pair.first?.lowercased() == name.lowercased() else { continue }
        return pair.count > 1 ? pair[1].filter { $0 != "\"" } : ""
      }
    }
    return nil
  }

  /// Parses the body as a JSON object.
  func object() throws(GraphErrorResponse) -> JSON {
    guard !request.message.body.isEmpty else { throw .malformed("Empty Payload. JSON content expected.") }
    guard let json = try? JSON(parsing: request.message.body), json.object != nil else {
      throw .malformed("Unable to read JSON request payload: it is not a JSON object.")
    }
    return json
  }

  /// The caller's delegated and application permissions in lowercase.
  var granted: Set<String> {
    Set((caller.isAppOnly ? caller.roles : caller.scopes).map { $0.lowercased() })
  }

  func has(_ access: GraphAccess) -> Bool { access.isSatisfied(by: granted) }
}

/// The user who owns the requested resource.
struct GraphSubject: Hashable, Sendable {
  var member: GraphState.Member
  /// Whether the user is the caller.
  var isCaller: Bool

  var accountID: String { member.account.user.id }
}

extension JSON {
  /// Returns the member with this name, ignoring case, because some clients send `Message` instead of `message`.
  func member(_ name: String) -> JSON? {
    if let exact = self[name] { return exact }
    let requested = name.lowercased()
    return object?.first { $0.key.lowercased() == requested }?.value
  }
}
