import Directory
import Documents
import Effects
import HTTPTypes
import OAuth
import OrderedCollections

/// Graph's `drive` and `driveItem` resources: a small OneDrive for each user.
enum DriveResource {
  static func store(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> DriveStore {
    guard let subject = call.subject else { throw .delegatedOnly }
    return DriveStore(subject, state)
  }

  /// - Parameter path: The collection's path in the drive.
  static func collection(_ items: [JSON], _ call: GraphRequestContext, _ path: String = "root/children")
    -> GraphCollection
  {
    let owner = call.subject.map { UserResource.id(of: $0.member) } ?? ""
    return GraphCollection(
      items: items, context: "users('\(owner)')/drive/\(path)", style: .files,
      typeName: "microsoft.graph.driveItem", alwaysIncluded: [])
  }

  static func response(_ item: DriveItem, in store: DriveStore, _ call: GraphRequestContext, status: Int = 200)
    throws(GraphErrorResponse) -> GraphResponse
  {
    try collection([], call, item.parentID == nil ? "root" : "items").entity(
      store.json(item), call, status: status, headers: [.eTag: item.eTag])
  }

  /// Returns the item in the request path.
  static func item(_ call: GraphRequestContext, in store: DriveStore) throws(GraphErrorResponse) -> DriveItem {
    try store.item(call.parameters.last ?? "root")
  }

  static func children(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> GraphResponse {
    let store = try store(call, state)
    let folder = try item(call, in: store)
    return try collection(store.children(of: folder.id).map { store.json($0) }, call).response(call)
  }

  static func content(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> GraphResponse {
    let item = try item(call, in: try store(call, state))
    guard let content = item.content, let bytes = try? Base64.decode(content) else { throw DriveStore.notFound }
    return GraphResponse(headers: [.eTag: item.eTag], body: .bytes(bytes, mediaType: item.mediaType))
  }

  /// Stores the request body as a file's complete content (a simple upload).
  static func upload(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    var store = try store(call, state)
    let address = call.parameters.last ?? ""
    if let old = store.find(address) { try checkMatch(call, old) }
    let bytes = call.request.message.body
    try DriveStore.checkCapacity(for: bytes.count, state)
    let (item, isNew) = try store.put(
      bytes, at: address, mediaType: call.request.message.head.headerFields[.contentType],
      conflict: try conflict(call.query.others["@microsoft.graph.conflictbehavior"], or: .replace), call.now,
      call.randomness)
    store.save(&state)
    return try response(item, in: store, call, status: isNew ? 201 : 200)
  }

  static func createFolder(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse)
    -> GraphResponse
  {
    var store = try store(call, state)
    let parent = try item(call, in: store)
    let body = try call.object()
    guard body.member("folder")?.object != nil else {
      throw .notEmulated("POST to the children of a folder, except to create a folder")
    }
    let name = body.member("name")?.string ?? ""
    let behavior = body.member("@microsoft.graph.conflictBehavior")?.string
    let folder = try store.add(
      name, to: parent, conflict: try conflict(behavior, or: .fail), call.now.rfc3339(), call.randomness
    ) { _ in }
    store.save(&state)
    return try response(folder, in: store, call, status: 201)
  }

  /// Renames or moves an item, or sets the times from the client's file system.
  static func update(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    var store = try store(call, state)
    var item = try item(call, in: store)
    try checkMatch(call, item)
    let body = try call.object()
    for key in body.object?.keys ?? [] where !key.contains("@") {
      guard ["name", "parentreference", "filesysteminfo"].contains(key.lowercased()) else {
        throw .notEmulated("PATCH of property '\(key)' of type microsoft.graph.driveItem")
      }
    }
    let name = body.member("name")?.string ?? item.name
    let above = body.member("parentReference").flatMap { parent in
      parent.member("id")?.string ?? parent.member("path")?.string.map(address)
    }
    if item.parentID != nil, body.member("name") != nil || above != nil {
      let folder = try store.item(above ?? item.parentID ?? "")
      item = try store.move(item, to: folder, as: name)
    }
    if let times = body.member("fileSystemInfo") {
      item.clientCreated = times.member("createdDateTime")?.string ?? item.clientCreated
      item.clientModified = times.member("lastModifiedDateTime")?.string ?? item.clientModified
    }
    item.modified = call.now.rfc3339()
    item = store.update(item)
    store.save(&state)
    return try response(item, in: store, call)
  }

  /// Converts a path such as `/drive/root:/Documents` to an item address such as `root:/Documents`.
  private static func address(_ path: String) -> String {
    guard let separator = path.firstRange(of: "root:") else { return path }
    let rest = path[separator.upperBound...].drop { $0 == "/" }
    return rest.isEmpty ? "root" : "root:/" + PercentEncoding.decode(rest)
  }

  static func delete(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    var store = try store(call, state)
    let item = try item(call, in: store)
    try checkMatch(call, item)
    try store.remove(item)
    store.save(&state)
    return .noContent
  }

  static func createSession(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse)
    -> GraphResponse
  {
    let store = try store(call, state)
    let address = call.parameters.last ?? ""
    let (base, names) = DrivePath.parts(of: address)
    // The file or its parent folder must exist.
    let start = try store.item(base)
    guard !names.isEmpty || !start.isFolder else { throw DriveStore.invalid("A folder does not have content.") }
    for name in names { try DrivePath.check(name) }
    let body = call.request.message.body.isEmpty ? [:] : try call.object()
    if body.member("deferCommit")?.bool == true { throw .notEmulated("deferCommit for an upload session") }
    let item = body.member("item")
    let behavior = item?.member("@microsoft.graph.conflictBehavior")?.string
    var session = UploadSession(
      .drive, address, name: names.last ?? start.name, subject: store.subject, call)
    session.conflict = try conflict(behavior, or: .replace)
    if session.conflict == .fail, store.find(address) != nil { throw DriveStore.exists }
    session.total = item?.member("fileSize")?.integer.map { Int(clamping: $0) }
    if let total = session.total { try DriveStore.checkCapacity(for: max(0, total), state) }
    session.clientCreated = item?.member("fileSystemInfo")?.member("createdDateTime")?.string
    session.clientModified = item?.member("fileSystemInfo")?.member("lastModifiedDateTime")?.string
    session.save(&state, at: call.now)
    return .entity(
      UploadService.progress(session, url: UploadService.url(of: session, call)),
      context: call.context("microsoft.graph.uploadSession"))
  }

  private static func conflict(
    _ text: String?, or standard: DriveStore.Conflict
  ) throws(GraphErrorResponse) -> DriveStore.Conflict {
    guard let text else { return standard }
    guard let conflict = DriveStore.Conflict(rawValue: text.lowercased()) else {
      throw DriveStore.invalid("The conflict behavior '\(text.prefix(40))' must be fail, replace, or rename.")
    }
    return conflict
  }

  private static func checkMatch(_ call: GraphRequestContext, _ item: DriveItem) throws(GraphErrorResponse) {
    guard let requested = call.header("If-Match"), requested != "*", requested != item.eTag else { return }
    throw GraphErrorResponse(412, "resourceModified", "The item does not match the ETag in If-Match.")
  }
}

extension GraphRoute {
  private static let read = GraphAccess("Files.Read", "Sites.Read.All")
  private static let readApps = GraphAccess("Files.Read.All", "Sites.Read.All")
  private static let write = GraphAccess("Files.ReadWrite", "Sites.ReadWrite.All")
  private static let writeApps = GraphAccess("Files.ReadWrite.All", "Sites.ReadWrite.All")

  private static func reading(
    _ path: String,
    _ response: @escaping @Sendable (GraphRequestContext, GraphState) throws(GraphErrorResponse) -> GraphResponse
  ) -> GraphRoute {
    GraphRoute(.get, .user, path, .files, needs: read, forApps: readApps) { call, state throws(GraphErrorResponse) in
      try response(call, state)
    }
  }

  private static func writing(
    _ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Handler
  ) -> GraphRoute {
    GraphRoute(method, .user, path, .files, needs: write, forApps: writeApps, handler: handler)
  }

  static let driveRoutes: [GraphRoute] = [
    reading("drive") { call, state throws(GraphErrorResponse) in
      .entity(try DriveResource.store(call, state).driveJSON, context: call.context("drives/$entity"))
    },
    reading("drives") { call, state throws(GraphErrorResponse) in
      let store = try DriveResource.store(call, state)
      return try GraphCollection(
        items: [store.driveJSON], context: "drives", style: .files, typeName: "microsoft.graph.drive"
      ).response(call)
    },
    reading("drive/root") { call, state throws(GraphErrorResponse) in
      let store = try DriveResource.store(call, state)
      return try DriveResource.response(try store.item("root"), in: store, call)
    },
    reading("drive/root/children") { call, state throws(GraphErrorResponse) in try DriveResource.children(call, state)
    },
    writing(.post, "drive/root/children") { call, state throws(GraphErrorResponse) in
      try DriveResource.createFolder(call, &state)
    },
    reading("drive/items/{}") { call, state throws(GraphErrorResponse) in
      let store = try DriveResource.store(call, state)
      return try DriveResource.response(try DriveResource.item(call, in: store), in: store, call)
    },
    writing(.patch, "drive/items/{}") { call, state throws(GraphErrorResponse) in try DriveResource.update(call, &state)
    },
    writing(.delete, "drive/items/{}") { call, state throws(GraphErrorResponse) in
      try DriveResource.delete(call, &state)
    },
    reading("drive/items/{}/children") { call, state throws(GraphErrorResponse) in
      try DriveResource.children(call, state)
    },
    writing(.post, "drive/items/{}/children") { call, state throws(GraphErrorResponse) in
      try DriveResource.createFolder(call, &state)
    },
    reading("drive/items/{}/content") { call, state throws(GraphErrorResponse) in try DriveResource.content(call, state)
    },
    writing(.put, "drive/items/{}/content") { call, state throws(GraphErrorResponse) in
      try DriveResource.upload(call, &state)
    },
    writing(.post, "drive/items/{}/createUploadSession") { call, state throws(GraphErrorResponse) in
      try DriveResource.createSession(call, &state)
    },
  ]
}
