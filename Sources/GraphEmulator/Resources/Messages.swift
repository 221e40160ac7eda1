import Documents
import Effects
import HTTPTypes
import OrderedCollections

/// Graph's `message` resource.
enum MessageResource {
  private static let content = GraphAccess("Mail.Read")

  private static func present(_ call: GraphRequestContext) -> @Sendable (JSON) -> JSON {
    let isExpanded = call.query.expand?.lowercased().hasPrefix("attachments") == true && call.has(content)
    let asText = call.preference("outlook.body-content-type")?.lowercased() == "text"
    // `Mail.ReadBasic` does not allow access to the body or the attachments.
    let isBasic = !call.has(content)
    return { message in
      var members: OrderedDictionary<String, JSON> = [
        "@odata.etag": .string("W/\"\(message["changeKey"]?.string ?? "")\"")
      ]
      for (key, value) in message.object ?? [:] where !key.hasPrefix("~") { members[key] = value }
      if asText, let content = members["body"]?["content"]?.string {
        members["body"] = ["contentType": "text", "content": .string(BodyContentConversion.text(content))]
      }
      if isExpanded { members["attachments"] = .array(Attachments.of(message)) }
      if isBasic { for key in ["body", "bodyPreview", "uniqueBody"] { members[key] = nil } }
      return .object(members)
    }
  }

  static func collection(_ messages: [JSON], _ call: GraphRequestContext, path: String = "messages") -> GraphCollection
  {
    let owner = call.subject.map { UserResource.id(of: $0.member) } ?? ""
    return GraphCollection(
      items: messages, context: "users('\(owner)')/\(path)", style: .outlook, properties: MessageDefaults.properties,
      typeName: "microsoft.graph.message",
      alwaysIncluded: ["id", "@odata.etag"] + (call.query.expand == nil ? [] : ["attachments"]),
      searchPaths: [["subject"], ["bodyPreview"], ["body", "content"], ["from"], ["toRecipients"]],
      expandable: ["attachments"],
      present: present(call))
  }

  static func owner(_ call: GraphRequestContext) throws(GraphErrorResponse) -> String {
    guard let subject = call.subject else { throw .delegatedOnly }
    return subject.accountID
  }

  /// Returns all messages and the index of the message in the request path.
  static func find(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> (
    messages: [JSON], index: Int
  ) {
    let messages = MailStore.all(of: try owner(call), state)
    let ids = call.parameters
    guard let index = messages.firstIndex(where: { ids.last == $0["id"]?.string }) else { throw .itemNotFound }
    return (messages, index)
  }

  static func create(_ call: GraphRequestContext, _ state: inout GraphState, folder: String) throws(GraphErrorResponse)
    -> GraphResponse
  {
    return try store(.object(try changes(in: try call.object())), in: folder, call, &state)
  }

  /// Stores a draft in the folder with this id or well-known name.
  static func store(
    _ draft: JSON, in folder: String, _ call: GraphRequestContext, _ state: inout GraphState
  ) throws(GraphErrorResponse) -> GraphResponse {
    guard let subject = call.subject else { throw .delegatedOnly }
    guard let folder = MailStore.folderID(named: folder, of: subject.accountID) else { throw .itemNotFound }
    var draft = draft
    draft["isDraft"] = true
    draft["isRead"] = true
    let id = OutlookID.item("message", subject.accountID, call.randomness.uuid())
    let message = MessageDefaults.complete(
      draft, id: id, folder: folder, owner: subject.member.account.user, created: call.now)
    MailStore.save(MailStore.all(of: subject.accountID, state) + [message], of: subject.accountID, &state)
    var headers = HTTPFields()
    headers[.location] = "\(call.root)/users('\(UserResource.id(of: subject.member))')/messages('\(id)')"
    return try collection([], call).entity(message, call, status: 201, headers: headers)
  }

  static func update(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    var (messages, index) = try find(call, state)
    try checkMatch(call, messages[index])
    for (name, value) in try changes(in: try call.object()) { messages[index][name] = value }
    messages[index]["lastModifiedDateTime"] = .string(call.now.rfc3339())
    messages[index] = EventDefaults.withChangeKey(messages[index])
    MailStore.save(messages, of: try owner(call), &state)
    return try collection([], call).entity(messages[index], call)
  }

  /// Moves a message to Deleted Items. If the message is already in that folder, deletes it permanently.
  static func delete(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    let owner = try owner(call)
    var (messages, index) = try find(call, state)
    try checkMatch(call, messages[index])
    let bin = MailStore.folderID("deleteditems", of: owner)
    if messages[index]["parentFolderId"]?.string == bin {
      messages.remove(at: index)
    } else {
      messages[index]["parentFolderId"] = .string(bin)
    }
    MailStore.save(messages, of: owner, &state)
    return .noContent
  }

  static func move(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse {
    let owner = try owner(call)
    var (messages, index) = try find(call, state)
    guard let name = try call.object().member("destinationId")?.string,
      let folder = MailStore.folderID(named: name, of: owner)
    else { throw GraphErrorResponse(400, "ErrorInvalidIdMalformed", "Id is malformed.") }
    messages[index]["parentFolderId"] = .string(folder)
    MailStore.save(messages, of: owner, &state)
    return try collection([], call).entity(messages[index], call, status: 201)
  }

  static func send(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse {
    guard let subject = call.subject else { throw .delegatedOnly }
    var (messages, index) = try find(call, state)
    guard messages[index]["isDraft"]?.bool == true else {
      throw GraphErrorResponse(400, "ErrorInvalidOperation", "The message is not a draft.")
    }
    let draft = messages.remove(at: index)
    MailStore.save(messages, of: subject.accountID, &state)
    try SendMail.deliver(draft, from: subject, keepsCopy: true, call, &state)
    return GraphResponse(202)
  }

  /// Throws an error if the message does not match `If-Match`.
  private static func checkMatch(_ call: GraphRequestContext, _ message: JSON) throws(GraphErrorResponse) {
    try EventResource.checkMatch(call, message)
  }

  private static func changes(in body: JSON) throws(GraphErrorResponse) -> OrderedDictionary<String, JSON> {
    var changes: OrderedDictionary<String, JSON> = [:]
    for (key, value) in body.object ?? [:] where !key.contains("@") {
      let name = MessageDefaults.exactName(key)
      guard MessageDefaults.properties.contains(name) else {
        throw .malformed("The property '\(key)' does not exist on type 'microsoft.graph.message'.")
      }
      if !MessageDefaults.readOnly.contains(name) { changes[name] = value }
    }
    return changes
  }
}

extension GraphRoute {
  private static let read = GraphAccess("Mail.ReadBasic", "Mail.Read")
  private static let write = GraphAccess("Mail.ReadWrite")
  private static let send = GraphAccess("Mail.Send")

  static let messageRoutes: [GraphRoute] = [
    GraphRoute(.get, .user, "messages", .exchange, needs: read, forApps: read) {
      call, state throws(GraphErrorResponse) in
      let messages = MailStore.all(of: try MessageResource.owner(call), state)
      return try MessageResource.collection(MailStore.newestFirst(messages), call).response(
        call, headers: EventResource.applied(call))
    },
    GraphRoute(.post, .user, "messages", .exchange, needs: write, forApps: write) {
      call, state throws(GraphErrorResponse) in
      try MessageResource.create(call, &state, folder: "drafts")
    },
    GraphRoute(.get, .user, "messages/$count", .exchange, needs: read, forApps: read) {
      call, state throws(GraphErrorResponse) in
      try MessageResource.collection(MailStore.all(of: try MessageResource.owner(call), state), call).count(call)
    },
    GraphRoute(.get, .user, "messages/{}", .exchange, needs: read, forApps: read) {
      call, state throws(GraphErrorResponse) in
      let (messages, index) = try MessageResource.find(call, state)
      return try MessageResource.collection([], call).entity(
        messages[index], call, headers: EventResource.applied(call))
    },
    GraphRoute(.patch, .user, "messages/{}", .exchange, needs: write, forApps: write) {
      call, state throws(GraphErrorResponse) in try MessageResource.update(call, &state)
    },
    GraphRoute(.delete, .user, "messages/{}", .exchange, needs: write, forApps: write) {
      call, state throws(GraphErrorResponse) in try MessageResource.delete(call, &state)
    },
    GraphRoute(.post, .user, "messages/{}/send", .exchange, needs: send, forApps: send) {
      call, state throws(GraphErrorResponse) in try MessageResource.send(call, &state)
    },
    GraphRoute(.post, .user, "messages/{}/move", .exchange, needs: write, forApps: write) {
      call, state throws(GraphErrorResponse) in try MessageResource.move(call, &state)
    },
  ]
}
