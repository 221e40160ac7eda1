import Directory
import Documents
import Effects
import HTTPTypes
import OAuth
import OrderedCollections

/// One request to the emulated Graph on its way to a resource: taken apart, with its caller known.
struct GraphRequestContext: Sendable {
  let request: GraphRequest
  let caller: GraphCaller
  let randomness: any Randomness
  /// `v1.0` or `beta`.
  let version: String
  /// The path below the version, unescaped; `users('a')` is two segments, `microsoft.graph.delta()` is `delta`.
  let segments: [String]
  let query: ODataQuery
  /// What stood in the `{}` of the route's pattern.
  var parameters: [String] = []
  /// Whose resource it is: the caller, or the user named in `/users/{id}/…`.
  var subject: GraphSubject?
  /// The tenant's registrations, grants, and sign-ins, for the paths that show them.
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

  /// Actions and functions, which a path may write with their namespace.
  static let actions: Set<String> = [
    "accept", "cancel", "checkmembergroups", "checkmemberobjects", "createforward", "createreply", "createreplyall",
    "createuploadsession", "decline", "delta", "findmeetingtimes", "forward", "getmembergroups",
    "getmemberobjects", "getschedule",
    "invalidateallrefreshtokens", "move", "reply",
    "replyall", "revokesigninsessions", "send", "sendmail", "tentativelyaccept",
  ]

  /// One or two names of a path segment: a key may stand in parentheses behind its collection.
  static func segments(_ escaped: Substring) -> [String] {
    var text = FormCoding.decode(escaped, plusIsSpace: false)
    for prefix in ["microsoft.graph.", "graph."] where text.lowercased().hasPrefix(prefix) {
      let name = text.dropFirst(prefix.count)
      // Actions and functions may carry their namespace; a type behind a collection needs it.
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
      // An alternate key: `servicePrincipals(appId='…')`.
      return [String(text[..<open.lowerBound]), "appId=" + text[open.upperBound...].dropLast(2)]
    }
    return [text]
  }

  var method: HTTPRequest.Method { request.message.head.method }
  var now: Instant { request.now }

  /// `https://graph.microsoft.com/v1.0`.
  var root: String { "\(request.baseURL)/\(version)" }

  /// The context URL of an answer, `…/$metadata#users`.
  func context(_ path: String) -> String { "\(root)/$metadata#\(path)" }

  func header(_ name: String) -> String? {
    HTTPField.Name(name).flatMap { request.message.head.headerFields[$0] }
  }

  /// Whether the caller accepts answers that lag behind (`ConsistencyLevel: eventual`).
  var isEventual: Bool { header("ConsistencyLevel")?.lowercased() == "eventual" }

  /// The value of a preference in the `Prefer` header (RFC 7240), unquoted; empty for one without a value.
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

  /// The body as a JSON object.
  func object() throws(GraphErrorResponse) -> JSON {
    guard !request.message.body.isEmpty else { throw .malformed("Empty Payload. JSON content expected.") }
    guard let json = try? JSON(parsing: request.message.body), json.object != nil else {
      throw .malformed("Unable to read JSON request payload: it is no JSON object.")
    }
    return json
  }

  /// The delegated and application permissions of the caller, in lower case.
  var granted: Set<String> {
    Set((caller.isAppOnly ? caller.roles : caller.scopes).map { $0.lowercased() })
  }

  func has(_ access: GraphAccess) -> Bool { access.isSatisfied(by: granted) }
}

/// The user whose resource a call is about.
struct GraphSubject: Hashable, Sendable {
  var member: GraphState.Member
  /// Whether it is the caller.
  var isCaller: Bool

  var accountID: String { member.account.user.id }
}

extension JSON {
  /// The member of that name in any case: some clients write `Message`, some `message`.
  func member(_ name: String) -> JSON? {
    if let exact = self[name] { return exact }
    let wanted = name.lowercased()
    return object?.first { $0.key.lowercased() == wanted }?.value
  }
}
