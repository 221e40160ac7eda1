import Documents
import Effects
import OAuth
import OrderedCollections

/// An upload of a large file in several parts.
package struct UploadSession: Sendable {
  enum Target: String {
    /// `target` is the address of a drive item.
    case drive
    /// `target` is the id of the message or event that the emulator adds the attachment to.
    case message, event
  }

  /// The session id in the upload URL. It is secret, because it authorizes the upload in place of a token.
  var id: String
  var kind: Target
  var target: String
  var accountID: String
  var tenantID: String
  var name: String
  var contentType: String?
  var isInline = false
  /// The size of the complete file, or nil if it is not known yet.
  var total: Int?
  var conflict = DriveStore.Conflict.replace
  var clientModified: String?
  var clientCreated: String?
  var expires: Instant
  private var pieces: [String] = []
  private(set) var received = 0

  package static let lifetime = Duration.seconds(24 * 3600)
  /// The maximum number of open sessions. The emulator removes the oldest session first.
  private static let limit = 20
  private static let owner = "~uploads"

  init(
    _ kind: Target, _ target: String, name: String, subject: GraphSubject, _ call: GraphRequestContext
  ) {
    id = call.randomness.uuid().filter { $0 != "-" } + call.randomness.uuid().filter { $0 != "-" }
    (self.kind, self.target, self.name) = (kind, target, name)
    accountID = subject.accountID
    tenantID = call.caller.tenantID
    expires = call.now + Self.lifetime
  }

  mutating func append(_ bytes: [UInt8]) {
    pieces.append(Base64.encode(bytes))
    received += bytes.count
  }

  var content: [UInt8] { pieces.flatMap { (try? Base64.decode($0)) ?? [] } }

  // MARK: State

  /// Returns the open sessions, oldest first.
  package static func all(_ state: GraphState) -> [UploadSession] {
    (state.collection("sessions", of: owner) ?? []).compactMap { UploadSession($0) }
  }

  static func bytesHeld(_ state: GraphState) -> Int { all(state).reduce(0) { $0 + $1.received } }

  static func find(_ id: String, _ state: GraphState, at now: Instant) -> UploadSession? {
    all(state).first { $0.id == id && $0.expires > now }
  }

  func save(_ state: inout GraphState, at now: Instant) {
    let others = Self.all(state).filter { $0.id != id && $0.expires > now }
    Self.store(others.suffix(Self.limit - 1) + [self], &state)
  }

  func remove(_ state: inout GraphState) { Self.store(Self.all(state).filter { $0.id != id }, &state) }

  private static func store(_ sessions: [UploadSession], _ state: inout GraphState) {
    state.setCollection("sessions", of: owner, to: sessions.map(\.json))
  }

  private init?(_ json: JSON) {
    guard let id = json["id"]?.string, let kind = json["kind"]?.string.flatMap(Target.init(rawValue:)),
      let target = json["target"]?.string, let accountID = json["account"]?.string,
      let tenantID = json["tenant"]?.string, let expires = json["expires"]?.integer
    else { return nil }
    (self.id, self.kind, self.target, self.accountID, self.tenantID) = (id, kind, target, accountID, tenantID)
    self.expires = Instant(secondsSince1970: expires)
    name = json["name"]?.string ?? ""
    contentType = json["contentType"]?.string
    isInline = json["isInline"]?.bool ?? false
    total = json["total"]?.integer.map { Int(clamping: $0) }
    conflict = json["conflict"]?.string.flatMap(DriveStore.Conflict.init(rawValue:)) ?? .replace
    clientModified = json["clientModified"]?.string
    clientCreated = json["clientCreated"]?.string
    pieces = json["pieces"]?.array?.compactMap(\.string) ?? []
    received = json["received"]?.integer.map { Int(clamping: $0) } ?? 0
  }

  private var json: JSON {
    var members: OrderedDictionary<String, JSON> = [
      "id": .string(id), "kind": .string(kind.rawValue), "target": .string(target), "account": .string(accountID),
      "tenant": .string(tenantID), "expires": .integer(expires.secondsSince1970), "name": .string(name),
      "isInline": .bool(isInline), "conflict": .string(conflict.rawValue),
      "pieces": .array(pieces.map { .string($0) }), "received": .integer(Int64(received)),
    ]
    members["contentType"] = contentType.map { .string($0) }
    members["total"] = total.map { .integer(Int64($0)) }
    members["clientModified"] = clientModified.map { .string($0) }
    members["clientCreated"] = clientCreated.map { .string($0) }
    return .object(members)
  }
}
