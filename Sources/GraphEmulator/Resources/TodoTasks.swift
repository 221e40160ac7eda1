import Documents
import Effects
import OrderedCollections

/// The tasks in To Do lists.
enum TodoTasks {
  private static let name = "todoTasks"
  /// The internal key for the id of a task's list. Responses do not include it.
  private static let listMember = "~list"
  /// The maximum number of tasks for each user.
  private static let limit = 2_000

  private static let defaults: OrderedDictionary<String, JSON> = [
    "importance": "normal", "isReminderOn": false, "status": "notStarted", "title": "", "createdDateTime": nil,
    "lastModifiedDateTime": nil, "hasAttachments": false, "categories": [],
    "body": ["content": "", "contentType": "text"], "completedDateTime": nil, "dueDateTime": nil,
    "startDateTime": nil, "reminderDateTime": nil, "recurrence": nil,
  ]
  private static let properties = PropertyNames(defaults.keys)
  private static let readOnly: Set<String> = ["createdDateTime", "lastModifiedDateTime", "hasAttachments"]
  private static let statuses: Set<String> = ["notStarted", "inProgress", "completed", "waitingOnOthers", "deferred"]

  static let full = GraphErrorResponse(
    507, "ErrorQuotaExceeded", "The emulator stores at most 100 lists and 2000 tasks for each user.")

  private static func all(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> [JSON] {
    state.collection(name, of: try EventResource.owner(call).accountID) ?? []
  }

  private static func store(_ tasks: [JSON], _ call: GraphRequestContext, _ state: inout GraphState)
    throws(GraphErrorResponse)
  {
    state.setCollection(name, of: try EventResource.owner(call).accountID, to: tasks)
  }

  static func list(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> GraphResponse {
    let id = try TodoLists.find(call, state).id
    let tasks = try all(call, state).filter { $0[listMember]?.string == id }
    return try collection(tasks, call).response(call)
  }

  static func find(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> (
    tasks: [JSON], index: Int
  ) {
    let list = try TodoLists.find(call, state).id
    let tasks = try all(call, state)
    let match = tasks.firstIndex { $0["id"]?.string == call.parameters.last && $0[listMember]?.string == list }
    guard let match else { throw .itemNotFound }
    return (tasks, match)
  }

  static func entity(_ task: JSON, _ call: GraphRequestContext, status: Int = 200) throws(GraphErrorResponse)
    -> GraphResponse
  {
    try collection([], call).entity(task, call, status: status)
  }

  private static func collection(_ tasks: [JSON], _ call: GraphRequestContext) -> GraphCollection {
    var collection = TodoLists.collection(
      tasks, call, path: "lists('\(call.parameters.first ?? "")')/tasks", type: "todoTask")
    collection.searchPaths = [["title"], ["body", "content"]]
    return collection
  }

  static func create(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    let list = try TodoLists.find(call, state).id
    let tasks = try all(call, state)
    guard tasks.count < limit else { throw full }
    let owner = try EventResource.owner(call).accountID
    var members: OrderedDictionary<String, JSON> = [
      "id": .string(OutlookID.item("task", owner, call.randomness.uuid())), listMember: .string(list), "changeKey": "",
    ]
    members.merge(defaults) { $1 }
    members["createdDateTime"] = .string(call.now.rfc3339(fractionDigits: 7))
    let task = try changed(.object(members), by: try call.object(), call)
    guard task["title"]?.string?.isEmpty == false else {
      throw GraphErrorResponse(400, "invalidRequest", "A task requires a title.")
    }
    try store(tasks + [task], call, &state)
    return try entity(task, call, status: 201)
  }

  static func update(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    var (tasks, index) = try find(call, state)
    tasks[index] = try changed(tasks[index], by: try call.object(), call)
    try store(tasks, call, &state)
    return try entity(tasks[index], call)
  }

  static func delete(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    var (tasks, index) = try find(call, state)
    tasks.remove(at: index)
    try store(tasks, call, &state)
    return .noContent
  }

  static func removeAll(of list: String, _ call: GraphRequestContext, _ state: inout GraphState)
    throws(GraphErrorResponse)
  {
    let tasks = try all(call, state)
    try store(tasks.filter { $0[listMember]?.string != list }, call, &state)
  }

  /// Applies the changes in a request body to a task. Sets the completion time if the task is completed.
  private static func changed(_ task: JSON, by body: JSON, _ call: GraphRequestContext) throws(GraphErrorResponse)
    -> JSON
  {
    var task = task
    for (key, value) in body.object ?? [:] where !key.contains("@") && key.lowercased() != "id" {
      guard let name = properties.exactName(key) else {
        throw .notEmulated("property '\(key)' of type microsoft.graph.todoTask")
      }
      if !readOnly.contains(name) { task[name] = value }
    }
    let status = task["status"]?.string ?? ""
    guard statuses.contains(status) else {
      throw GraphErrorResponse(400, "invalidRequest", "The status '\(status.prefix(40))' is not a valid task status.")
    }
    for name in ["dueDateTime", "startDateTime", "reminderDateTime"] {
      if let time = task[name], !time.isNull { _ = try EventTime(time) }
    }
    if status != "completed" {
      task["completedDateTime"] = .null
    } else if task["completedDateTime"]?.isNull != false {
      task["completedDateTime"] = EventTime(call.now, in: .utc).json
    }
    task["lastModifiedDateTime"] = .string(call.now.rfc3339(fractionDigits: 7))
    return EventDefaults.withChangeKey(task)
  }
}
