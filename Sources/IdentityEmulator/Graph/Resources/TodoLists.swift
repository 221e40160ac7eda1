import Documents
import HTTPTypes

/// `/me/todo/lists`: the list that everybody has, and nothing in it.
enum TodoLists {
  static func json(_ subject: GraphSubject) -> JSON {
    [
      "id": .string(OutlookID.item("todo", subject.accountID)), "displayName": "Tasks", "isOwner": true,
      "isShared": false, "wellknownListName": "defaultList",
    ]
  }

  static func collection(_ items: [JSON], _ call: GraphCall, path: String, type: String) -> GraphCollection {
    let owner = call.subject.map { UserResource.id(of: $0.member) } ?? ""
    return GraphCollection(
      items: items, context: "users('\(owner)')/todo/\(path)", style: .outlook, typeName: type, kept: ["id"])
  }
}

extension GraphRoute {
  private static let read = GraphAccess("Tasks.Read")

  static let todoListRoutes: [GraphRoute] = [
    GraphRoute(.get, .user, "todo/lists", .exchange, needs: read, forApps: GraphAccess("Tasks.Read.All")) {
      call, _ throws(GraphFailure) in
      guard let subject = call.subject else { throw .delegatedOnly }
      return try TodoLists.collection(
        [TodoLists.json(subject)], call, path: "lists", type: "microsoft.graph.todoTaskList"
      ).answer(call)
    },
    GraphRoute(.get, .user, "todo/lists/{}/tasks", .exchange, needs: read, forApps: GraphAccess("Tasks.Read.All")) {
      call, _ throws(GraphFailure) in
      guard let subject = call.subject, TodoLists.json(subject)["id"]?.string == call.parameters.last else {
        throw .itemNotFound
      }
      return try TodoLists.collection([], call, path: "lists/tasks", type: "microsoft.graph.todoTask").answer(call)
    },
  ]
}
