import Documents
import Effects
import HTTPTypes
import OrderedCollections

/// `/me/todo/lists`: the user's To Do lists.
enum TodoLists {
  private static let name = "todoLists"
  private static let limit = 100

  static func all(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> [JSON] {
    let owner = try EventResource.owner(call).accountID
    return state.collection(name, of: owner) ?? [
      list(id: OutlookID.item("todo", owner), name: "Tasks", wellKnown: "defaultList")
    ]
  }

  private static func list(id: String, name: String, wellKnown: String = "none") -> JSON {
    EventDefaults.withChangeKey([
      "id": .string(id), "displayName": .string(name), "isOwner": true, "isShared": false,
      "wellknownListName": .string(wellKnown),
    ])
  }

  /// Returns all lists and the index of the list in the request path.
  static func find(
    _ call: GraphRequestContext, _ state: GraphState
  ) throws(GraphErrorResponse) -> (lists: [JSON], index: Int, id: String) {
    let lists = try all(call, state)
    let id = call.parameters.first ?? ""
    guard let index = lists.firstIndex(where: { $0["id"]?.string == id }) else { throw .itemNotFound }
    return (lists, index, id)
  }

  private static func store(_ lists: [JSON], _ call: GraphRequestContext, _ state: inout GraphState)
    throws(GraphErrorResponse)
  {
    state.setCollection(name, of: try EventResource.owner(call).accountID, to: lists)
  }

  static func create(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    let lists = try all(call, state)
    guard lists.count < limit else { throw TodoTasks.full }
    let title = try title(try call.object())
    let owner = try EventResource.owner(call).accountID
    let list = list(id: OutlookID.item("todo", owner, call.randomness.uuid()), name: title)
    try store(lists + [list], call, &state)
    return try collection([], call, path: "lists", type: "todoTaskList").entity(list, call, status: 201)
  }

  private static func title(_ body: JSON) throws(GraphErrorResponse) -> String {
    guard let title = body.member("displayName")?.string, !title.isEmpty else {
      throw GraphErrorResponse(400, "invalidRequest", "A list requires a displayName.")
    }
    return title
  }

  static func update(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    var (lists, index, _) = try find(call, state)
    lists[index]["displayName"] = .string(try title(try call.object()))
    lists[index] = EventDefaults.withChangeKey(lists[index])
    try store(lists, call, &state)
    return try collection([], call, path: "lists", type: "todoTaskList").entity(lists[index], call)
  }

  static func delete(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    var (lists, index, id) = try find(call, state)
    guard lists[index]["wellknownListName"] == "none" else {
      throw GraphErrorResponse(400, "invalidRequest", "A built-in list cannot be deleted.")
    }
    lists.remove(at: index)
    try store(lists, call, &state)
    try TodoTasks.removeAll(of: id, call, &state)
    return .noContent
  }

  static func collection(_ items: [JSON], _ call: GraphRequestContext, path: String, type: String) -> GraphCollection {
    let owner = call.subject.map { UserResource.id(of: $0.member) } ?? ""
    var collection = GraphCollection(
      items: items, context: "users('\(owner)')/todo/\(path)", style: .outlook, typeName: "microsoft.graph.\(type)",
      alwaysIncluded: ["id", "@odata.etag"])
    collection.present = { item in
      var members: OrderedDictionary<String, JSON> = [
        "@odata.etag": .string("W/\"\(item["changeKey"]?.string ?? "")\"")
      ]
      for (key, value) in item.object ?? [:] where !key.hasPrefix("~") && key != "changeKey" { members[key] = value }
      return .object(members)
    }
    return collection
  }
}

extension GraphRoute {
  private static let read = GraphAccess("Tasks.Read")
  private static let readApps = GraphAccess("Tasks.Read.All")
  private static let write = GraphAccess("Tasks.ReadWrite")
  private static let writeApps = GraphAccess("Tasks.ReadWrite.All")

  private static func reading(
    _ path: String,
    _ response: @escaping @Sendable (GraphRequestContext, GraphState) throws(GraphErrorResponse) -> GraphResponse
  ) -> GraphRoute {
    GraphRoute(.get, .user, path, .exchange, needs: read, forApps: readApps) { call, state throws(GraphErrorResponse) in
      try response(call, state)
    }
  }

  private static func writing(_ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Handler) -> GraphRoute
  {
    GraphRoute(method, .user, path, .exchange, needs: write, forApps: writeApps, handler: handler)
  }

  static let todoListRoutes: [GraphRoute] = [
    reading("todo/lists") { call, state throws(GraphErrorResponse) in
      try TodoLists.collection(try TodoLists.all(call, state), call, path: "lists", type: "todoTaskList").response(call)
    },
    writing(.post, "todo/lists") { call, state throws(GraphErrorResponse) in try TodoLists.create(call, &state) },
    reading("todo/lists/{}") { call, state throws(GraphErrorResponse) in
      let (lists, index, _) = try TodoLists.find(call, state)
      return try TodoLists.collection([], call, path: "lists", type: "todoTaskList").entity(lists[index], call)
    },
    writing(.patch, "todo/lists/{}") { call, state throws(GraphErrorResponse) in try TodoLists.update(call, &state) },
    writing(.delete, "todo/lists/{}") { call, state throws(GraphErrorResponse) in try TodoLists.delete(call, &state) },
    reading("todo/lists/{}/tasks") { call, state throws(GraphErrorResponse) in try TodoTasks.list(call, state) },
    writing(.post, "todo/lists/{}/tasks") { call, state throws(GraphErrorResponse) in try TodoTasks.create(call, &state)
    },
    reading("todo/lists/{}/tasks/{}") { call, state throws(GraphErrorResponse) in
      let (tasks, index) = try TodoTasks.find(call, state)
      return try TodoTasks.entity(tasks[index], call)
    },
    writing(.patch, "todo/lists/{}/tasks/{}") { call, state throws(GraphErrorResponse) in
      try TodoTasks.update(call, &state)
    },
    writing(.delete, "todo/lists/{}/tasks/{}") { call, state throws(GraphErrorResponse) in
      try TodoTasks.delete(call, &state)
    },
  ]
}
