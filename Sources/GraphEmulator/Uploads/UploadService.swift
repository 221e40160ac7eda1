import Documents
import Effects
import HTTPTypes
import OAuth
import OrderedCollections

/// The service for requests to the upload URLs that `createUploadSession` returns. The URL is the credential, so
/// requests do not contain a token.
package enum UploadService {
  private static let folder = "/v1.0/authflow/uploads/"
  /// The unit of part sizes in OneDrive, in bytes. The size of each part except the last must be a multiple of this
  /// unit.
  private static let unit = 320 << 10

  static func url(of session: UploadSession, _ call: GraphRequestContext) -> String {
    call.request.baseURL + folder + session.id
  }

  /// Returns the session id in an upload path, or nil for any other path.
  package static func id(in path: String) -> String? {
    path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : nil
  }

  /// Returns the progress of a session, for the responses to `createUploadSession` and to each part except the last.
  static func progress(_ session: UploadSession, url: String? = nil) -> JSON {
    let end = session.total.map { String($0 - 1) } ?? ""
    var members: OrderedDictionary<String, JSON> = [:]
    members["uploadUrl"] = url.map { .string($0) }
    members["expirationDateTime"] = .string(session.expires.rfc3339())
    members["nextExpectedRanges"] = [.string("\(session.received)-\(session.received == 0 ? "" : end)")]
    return .object(members)
  }

  static func response(_ request: GraphRequest, session id: String, in world: GraphDependencies) -> ResponseMessage {
    let result = world.write { state in
      Result { () throws(GraphErrorResponse) in try perform(request, id, world.randomness, &state) }
    }
    switch result {
    case .success(let response): return GraphEnvelope.response(to: request, with: response)
    case .failure(let failure): return GraphEnvelope.response(to: request, failure: failure)
    }
  }

  private static func perform(
    _ request: GraphRequest, _ id: String, _ randomness: any Randomness, _ state: inout GraphState
  ) throws(GraphErrorResponse) -> GraphResponse {
    guard request.message.head.headerFields[.authorization] == nil else {
      throw GraphErrorResponse(
        401, "unauthenticated", "An upload URL is preauthenticated. Send the request without the Authorization header.")
    }
    guard let session = UploadSession.find(id, state, at: request.now) else { throw DriveStore.notFound }
    switch request.message.head.method {
    case .get: return GraphResponse(body: .json(progress(session)))
    case .delete:
      session.remove(&state)
      return .noContent
    case .put: return try appendPart(request, session, randomness, &state)
    default: throw .methodNotAllowed
    }
  }

  private static func appendPart(
    _ request: GraphRequest, _ current: UploadSession, _ randomness: any Randomness, _ state: inout GraphState
  ) throws(GraphErrorResponse) -> GraphResponse {
    var session = current
    let bytes = request.message.body
    guard let text = request.message.head.headerFields[.contentRange], let range = ContentRange(text) else {
      throw DriveStore.invalid("The Content-Range header must have the format 'bytes {first}-{last}/{total}'.")
    }
    guard range.first == session.received else {
      throw GraphErrorResponse(
        416, "invalidRange",
        "The part starts at byte \(range.first). The next expected byte is \(session.received).")
    }
    guard range.length == bytes.count else {
      throw DriveStore.invalid("Content-Range specifies \(range.length) bytes, but the body has \(bytes.count).")
    }
    guard session.total ?? range.total == range.total else {
      throw DriveStore.invalid("The total size changed from \(session.total ?? 0) to \(range.total).")
    }
    let isLast = range.last + 1 == range.total
    guard isLast || session.kind != .drive || bytes.count % unit == 0 else {
      throw DriveStore.invalid("The size of each part except the last must be a multiple of 320 KiB (327680 bytes).")
    }
    try DriveStore.checkCapacity(for: bytes.count, state)
    session.total = range.total
    session.append(bytes)
    if isLast {
      // The bytes move from the session to the file. Remove the session first, so that the bytes do not count twice
      // toward the limit.
      session.remove(&state)
      return try finish(session, request, randomness, &state)
    }
    session.save(&state, at: request.now)
    // Outlook responds to a part with status 200, and OneDrive responds with 202.
    return GraphResponse(session.kind == .drive ? 202 : 200, body: .json(progress(session)))
  }

  private static func finish(
    _ session: UploadSession, _ request: GraphRequest, _ randomness: any Randomness, _ state: inout GraphState
  ) throws(GraphErrorResponse) -> GraphResponse {
    guard let member = state.member(session.accountID, of: session.tenantID) else { throw DriveStore.notFound }
    let subject = GraphSubject(member: member, isCaller: true)
    guard session.kind == .drive else {
      let id = try AttachmentStore(session.kind, session.target, subject).add(
        name: session.name, contentType: session.contentType, isInline: session.isInline, bytes: session.content,
        id: randomness.uuid(), &state)
      let owner = UserResource.id(of: member)
      var headers = HTTPFields()
      headers[.location] =
        "\(request.baseURL)/v1.0/users('\(owner)')/\(session.kind.rawValue)s('\(session.target)')/attachments('\(id)')"
      return GraphResponse(201, headers: headers)
    }
    var store = DriveStore(subject, state)
    var (item, isNew) = try store.put(
      session.content, at: session.target, mediaType: session.contentType, conflict: session.conflict, request.now,
      randomness)
    if session.clientModified != nil || session.clientCreated != nil {
      item.clientModified = session.clientModified
      item.clientCreated = session.clientCreated
      item = store.update(item)
    }
    store.save(&state)
    return GraphResponse(isNew ? 201 : 200, body: .json(store.json(item)))
  }
}

/// The range in a `Content-Range` header such as `bytes 0-25/128` (RFC 9110 §14.4).
private struct ContentRange {
  var first: Int
  var last: Int
  var total: Int
  var length: Int { last - first + 1 }

  init?(_ text: String) {
    guard text.lowercased().hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).split(whereSeparator: { $0 == "-" || $0 == "/" }).map { Int($0.trimmingSpaces()) }
    guard parts.count == 3, let first = parts[0], let last = parts[1], let total = parts[2], first >= 0,
      last >= first, last < total, total <= 1 << 40
    else { return nil }
    (self.first, self.last, self.total) = (first, last, total)
  }
}
