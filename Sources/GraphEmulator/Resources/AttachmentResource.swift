import Documents
import Effects
import HTTPTypes
import OAuth

/// Graph's `attachment` resource: the attachments of messages and events.
enum AttachmentResource {
  /// The minimum file size for an upload session in bytes. Clients must send smaller files in one request.
  private static let minUploadSize = 3 << 20

  static func store(_ kind: UploadSession.Target, _ call: GraphRequestContext) throws(GraphErrorResponse)
    -> AttachmentStore
  {
    AttachmentStore(kind, call.parameters.first ?? "", try EventResource.owner(call))
  }

  static func collection(_ items: [JSON], _ kind: UploadSession.Target, _ call: GraphRequestContext) -> GraphCollection
  {
    let owner = call.subject.map { UserResource.id(of: $0.member) } ?? ""
    return GraphCollection(
      items: items,
      context: "users('\(owner)')/\(kind.rawValue)s('\(call.parameters.first ?? "")')/attachments",
      style: .outlook, typeName: "microsoft.graph.attachment", alwaysIncluded: ["id", "@odata.type"])
  }

  static func add(
    _ kind: UploadSession.Target, _ call: GraphRequestContext, _ state: inout GraphState
  ) throws(GraphErrorResponse) -> GraphResponse {
    let stored = try store(kind, call).add(try call.object(), id: call.randomness.uuid(), &state)
    return try collection([], kind, call).entity(stored, call, status: 201)
  }

  static func createSession(
    _ kind: UploadSession.Target, _ call: GraphRequestContext, _ state: inout GraphState
  ) throws(GraphErrorResponse) -> GraphResponse {
    let store = try store(kind, call)
    _ = try store.all(state)
    guard let item = try call.object().member("AttachmentItem"), let name = item.member("name")?.string,
      let size = item.member("size")?.integer.map({ Int(clamping: $0) })
    else {
      throw GraphErrorResponse(
        400, "ErrorInvalidRequest", "An upload session requires an AttachmentItem with attachmentType, name, and size.")
    }
    guard item.member("attachmentType")?.string?.lowercased() == "file" else {
      throw .notEmulated("upload sessions for attachments other than files")
    }
    guard size >= minUploadSize else {
      throw GraphErrorResponse(
        400, "ErrorAttachmentSizeShouldNotBeLessThanMinimumSize",
        "Attachment size must be greater than the minimum size of 3 MB. Post a smaller file to 'attachments'.")
    }
    try DriveStore.checkCapacity(for: size, state)
    var session = UploadSession(kind, store.owner, name: name, subject: store.subject, call)
    session.total = size
    session.contentType = item.member("contentType")?.string
    session.isInline = item.member("isInline")?.bool ?? false
    session.save(&state, at: call.now)
    return .entity(
      UploadService.progress(session, url: UploadService.url(of: session, call)),
      context: call.context("microsoft.graph.uploadSession"), status: 201)
  }
}

extension GraphRoute {
  static let attachmentRoutes: [GraphRoute] =
    routes("messages", .message, read: GraphAccess("Mail.Read"), write: GraphAccess("Mail.ReadWrite"))
    + routes("events", .event, read: GraphAccess("Calendars.Read"), write: GraphAccess("Calendars.ReadWrite"))

  private static func routes(
    _ parentPath: String, _ kind: UploadSession.Target, read: GraphAccess, write: GraphAccess
  ) -> [GraphRoute] {
    let all = parentPath + "/{}/attachments"
    return [
      GraphRoute(.get, .user, all, .exchange, needs: read, forApps: read) { call, state throws(GraphErrorResponse) in
        try AttachmentResource.collection(try AttachmentResource.store(kind, call).all(state), kind, call).response(
          call)
      },
      GraphRoute(.post, .user, all, .exchange, needs: write, forApps: write) { call, state throws(GraphErrorResponse) in
        try AttachmentResource.add(kind, call, &state)
      },
      GraphRoute(.post, .user, all + "/createUploadSession", .exchange, needs: write, forApps: write) {
        call, state throws(GraphErrorResponse) in try AttachmentResource.createSession(kind, call, &state)
      },
      GraphRoute(.get, .user, all + "/{}", .exchange, needs: read, forApps: read) {
        call, state throws(GraphErrorResponse) in
        let match = try AttachmentResource.store(kind, call).one(call.parameters.last ?? "", state)
        return try AttachmentResource.collection([], kind, call).entity(match, call)
      },
      GraphRoute(.delete, .user, all + "/{}", .exchange, needs: write, forApps: write) {
        call, state throws(GraphErrorResponse) in
        try AttachmentResource.store(kind, call).remove(call.parameters.last ?? "", &state)
        return .noContent
      },
      GraphRoute(.get, .user, all + "/{}/$value", .exchange, needs: read, forApps: read) {
        call, state throws(GraphErrorResponse) in
        let match = try AttachmentResource.store(kind, call).one(call.parameters.last ?? "", state)
        guard let bytes = try? Base64.decode(match["contentBytes"]?.string ?? "") else { throw .itemNotFound }
        return GraphResponse(body: .bytes(bytes, mediaType: match["contentType"]?.string ?? "application/octet-stream"))
      },
    ]
  }
}
