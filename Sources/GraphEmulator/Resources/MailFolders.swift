import Documents
import HTTPTypes
import OrderedCollections

/// Graph's `mailFolder` resource: the well-known folders of every mailbox.
enum MailFolderResource {
  static func items(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> [JSON] {
    let owner = try MessageResource.owner(call)
    let messages = MailStore.all(of: owner, state)
    return MailStore.folders.map { folder in
      let id = MailStore.folderID(folder.name, of: owner)
      let inside = messages.filter { $0["parentFolderId"]?.string == id }
      let unread = inside.count { $0["isRead"]?.bool != true }
      return [
        "id": .string(id), "displayName": .string(folder.displayName),
        "parentFolderId": .string(OutlookID.item("mailFolder", owner, "root")), "childFolderCount": 0,
        "unreadItemCount": .integer(Int64(unread)), "totalItemCount": .integer(Int64(inside.count)),
        "sizeInBytes": .integer(Int64(inside.count * 4096)), "isHidden": false,
      ]
    }
  }

  static func collection(_ items: [JSON], _ call: GraphRequestContext) -> GraphCollection {
    let owner = call.subject.map { UserResource.id(of: $0.member) } ?? ""
    return GraphCollection(
      items: items, context: "users('\(owner)')/mailFolders", style: .outlook,
      properties: [
        "id", "displayName", "parentFolderId", "childFolderCount", "unreadItemCount", "totalItemCount", "sizeInBytes",
        "isHidden",
      ], typeName: "microsoft.graph.mailFolder", alwaysIncluded: ["id"])
  }

  /// Returns the id of the folder in the request path.
  static func id(_ call: GraphRequestContext) throws(GraphErrorResponse) -> String {
    let owner = try MessageResource.owner(call)
    guard let id = MailStore.folderID(named: call.parameters.first ?? "", of: owner) else { throw .itemNotFound }
    return id
  }
}

extension GraphRoute {
  private static let read = GraphAccess("Mail.ReadBasic", "Mail.Read")
  private static let write = GraphAccess("Mail.ReadWrite")

  static let mailFolderRoutes: [GraphRoute] = [
    GraphRoute(.get, .user, "mailFolders", .exchange, needs: read, forApps: read) {
      call, state throws(GraphErrorResponse) in
      try MailFolderResource.collection(try MailFolderResource.items(call, state), call).response(call)
    },
    GraphRoute(.get, .user, "mailFolders/{}", .exchange, needs: read, forApps: read) {
      call, state throws(GraphErrorResponse) in
      let id = try MailFolderResource.id(call)
      guard let item = try MailFolderResource.items(call, state).first(where: { $0["id"]?.string == id }) else {
        throw .itemNotFound
      }
      return try MailFolderResource.collection([], call).entity(item, call)
    },
    GraphRoute(.get, .user, "mailFolders/{}/messages", .exchange, needs: read, forApps: read) {
      call, state throws(GraphErrorResponse) in
      let id = try MailFolderResource.id(call)
      let inside = MailStore.all(of: try MessageResource.owner(call), state).filter {
        $0["parentFolderId"]?.string == id
      }
      return try MessageResource.collection(
        MailStore.newestFirst(inside), call, path: "mailFolders('\(call.parameters.first ?? "")')/messages"
      ).response(call, headers: EventResource.applied(call))
    },
    GraphRoute(.get, .user, "mailFolders/{}/messages/delta", .exchange, needs: read, forApps: read) {
      call, state throws(GraphErrorResponse) in
      let id = try MailFolderResource.id(call)
      let inside = MailStore.all(of: try MessageResource.owner(call), state).filter {
        $0["parentFolderId"]?.string == id
      }
      let collection = MessageResource.collection(MailStore.newestFirst(inside), call)
      return try GraphDelta(
        items: collection.items.map(collection.present), context: collection.context, workload: .exchange
      ).response(call, &state)
    },
    GraphRoute(.post, .user, "mailFolders/{}/messages", .exchange, needs: write, forApps: write) {
      call, state throws(GraphErrorResponse) in
      try MessageResource.create(call, &state, folder: call.parameters.first ?? "")
    },
    GraphRoute(.get, .user, "mailFolders/{}/messages/{}", .exchange, needs: read, forApps: read) {
      call, state throws(GraphErrorResponse) in
      let folder = try MailFolderResource.id(call)
      let (messages, index) = try MessageResource.find(call, state)
      guard messages[index]["parentFolderId"]?.string == folder else { throw .itemNotFound }
      return try MessageResource.collection([], call).entity(messages[index], call)
    },
  ]
}
