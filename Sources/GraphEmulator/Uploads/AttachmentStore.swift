import Documents
import OAuth
import OrderedCollections

/// Access to the stored attachments of one message or event.
struct AttachmentStore: Sendable {
  let kind: UploadSession.Target
  let owner: String
  let subject: GraphSubject

  init(_ kind: UploadSession.Target, _ owner: String, _ subject: GraphSubject) {
    (self.kind, self.owner, self.subject) = (kind, owner, subject)
  }

  /// Returns all messages or events, and the index of the item that owns the attachments.
  private func items(_ state: GraphState) throws(GraphErrorResponse) -> (items: [JSON], index: Int) {
    let items = kind == .event ? EventStore.all(of: subject, state) : MailStore.all(of: subject.accountID, state)
    guard let index = items.firstIndex(where: { $0["id"]?.string == owner }) else { throw .itemNotFound }
    return (items, index)
  }

  func all(_ state: GraphState) throws(GraphErrorResponse) -> [JSON] {
    let (items, index) = try items(state)
    return Attachments.of(items[index])
  }

  func one(_ id: String, _ state: GraphState) throws(GraphErrorResponse) -> JSON {
    guard let match = try all(state).first(where: { $0["id"]?.string == id }) else { throw .itemNotFound }
    return match
  }

  /// - Returns: The id of the new attachment.
  func add(
    name: String, contentType: String?, isInline: Bool, bytes: [UInt8], id: String, _ state: inout GraphState
  ) throws(GraphErrorResponse) -> String {
    var attachment: OrderedDictionary<String, JSON> = [
      "name": .string(name), "isInline": .bool(isInline), "contentBytes": .string(Base64.encode(bytes)),
    ]
    attachment["contentType"] = contentType.map { .string($0) }
    return try add(.object(attachment), id: id, &state)["id"]?.string ?? ""
  }

  /// Stores an attachment from a request body.
  func add(_ attachment: JSON, id: String, _ state: inout GraphState) throws(GraphErrorResponse) -> JSON {
    let content = attachment.member("contentBytes")?.string ?? ""
    try DriveStore.checkCapacity(for: content.utf8.count / 4 * 3, state)
    let completed = Attachments.complete(attachment, id: OutlookID.item("attachment", owner, id))
    try change(&state) { $0.append(completed) }
    return completed
  }

  func remove(_ id: String, _ state: inout GraphState) throws(GraphErrorResponse) {
    _ = try one(id, state)
    try change(&state) { all in all.removeAll { $0["id"]?.string == id } }
  }

  private func change(_ state: inout GraphState, _ body: (inout [JSON]) -> Void) throws(GraphErrorResponse) {
    var (items, index) = try items(state)
    var attachments = Attachments.of(items[index])
    body(&attachments)
    items[index][Attachments.member] = .array(attachments)
    items[index]["hasAttachments"] = .bool(attachments.contains { $0["isInline"]?.bool != true })
    items[index] = EventDefaults.withChangeKey(items[index])
    if kind == .event {
      EventStore.save(items, of: subject, &state)
    } else {
      MailStore.save(items, of: subject.accountID, &state)
    }
  }
}
