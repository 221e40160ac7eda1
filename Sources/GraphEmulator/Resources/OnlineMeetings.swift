import Directory
import Documents
import Effects
import HTTPTypes
import OrderedCollections

/// `/me/onlineMeetings`: Teams meetings without a calendar event.
enum OnlineMeetings {
  private static let name = "onlineMeetings"
  /// The maximum number of meetings for each user. The emulator removes the oldest meetings first.
  private static let limit = 200
  private static let changeable: [String: String] = [
    "subject": "subject", "startdatetime": "startDateTime", "enddatetime": "endDateTime",
    "allowedpresenters": "allowedPresenters", "lobbybypasssettings": "lobbyBypassSettings",
    "isentryexitannounced": "isEntryExitAnnounced", "participants": "participants",
  ]

  private static func all(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> [JSON] {
    state.collection(name, of: try EventResource.owner(call).accountID) ?? []
  }

  private static func store(_ meetings: [JSON], _ call: GraphRequestContext, _ state: inout GraphState)
    throws(GraphErrorResponse)
  {
    state.setCollection(name, of: try EventResource.owner(call).accountID, to: meetings)
  }

  static func find(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> (
    meetings: [JSON], index: Int
  ) {
    let meetings = try all(call, state)
    guard let index = meetings.firstIndex(where: { $0["id"]?.string == call.parameters.first }) else { throw notFound }
    return (meetings, index)
  }

  /// Finds a meeting by its join URL. Like the live service, the emulator cannot list all meetings.
  static func list(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> GraphResponse {
    guard let filter = call.query.filter, filter.paths.allSatisfy({ $0.first?.lowercased() == "joinweburl" }) else {
      throw GraphErrorResponse(400, "InvalidArgument", "Specify the meeting: $filter=JoinWebUrl eq '{joinWebUrl}'.")
    }
    // Clients filter by `JoinWebUrl`, but the property's name is `joinWebUrl`.
    let match = try all(call, state).filter { meeting in
      filter.matches(["JoinWebUrl": meeting["joinWebUrl"] ?? .null, "joinWebUrl": meeting["joinWebUrl"] ?? .null])
    }
    return GraphResponse(
      body: .json(["@odata.context": .string(call.context(context(call))), "value": .array(match)]))
  }

  private static func context(_ call: GraphRequestContext) -> String {
    "users('\(call.subject.map { UserResource.id(of: $0.member) } ?? "")')/onlineMeetings"
  }

  static func entity(_ meeting: JSON, _ call: GraphRequestContext, status: Int = 200) throws(GraphErrorResponse)
    -> GraphResponse
  {
    try GraphCollection(
      items: [], context: context(call), style: .outlook, typeName: "microsoft.graph.onlineMeeting",
      alwaysIncluded: ["id"]
    ).entity(meeting, call, status: status)
  }

  static func create(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    let subject = try EventResource.owner(call)
    let id = "MSo" + OutlookID.item("onlineMeeting", subject.accountID, call.randomness.uuid()).dropFirst(6)
    let me: JSON = [
      "user": [
        "id": .string(UserResource.id(of: subject.member)),
        "displayName": .string(subject.member.account.user.shownName),
      ]
    ]
    let members: OrderedDictionary<String, JSON> = [
      "id": .string(id), "creationDateTime": .string(call.now.rfc3339()), "startDateTime": .string(call.now.rfc3339()),
      "endDateTime": .string((call.now + .seconds(3600)).rfc3339()),
      "joinWebUrl": .string(OnlineMeeting.joinURL(id, tenantID: call.caller.tenantID)), "subject": nil,
      "allowedPresenters": "everyone", "isEntryExitAnnounced": true,
      "lobbyBypassSettings": ["scope": "organization", "isDialInBypassEnabled": false],
      "participants": [
        "organizer": ["identity": me, "upn": .string(subject.member.userPrincipalName), "role": "presenter"],
        "attendees": [],
      ],
    ]
    let meeting = try changed(.object(members), call)
    try store(try all(call, state).suffix(limit - 1) + [meeting], call, &state)
    return try entity(meeting, call, status: 201)
  }

  static func update(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    var (meetings, index) = try find(call, state)
    meetings[index] = try changed(meetings[index], call)
    try store(meetings, call, &state)
    return try entity(meetings[index], call)
  }

  static func delete(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    var (meetings, index) = try find(call, state)
    meetings.remove(at: index)
    try store(meetings, call, &state)
    return .noContent
  }

  private static func changed(_ meeting: JSON, _ call: GraphRequestContext) throws(GraphErrorResponse) -> JSON {
    var meeting = meeting
    for (key, value) in try call.object().object ?? [:] where !key.contains("@") {
      guard let name = changeable[key.lowercased()] else {
        throw .notEmulated("property '\(key)' of type microsoft.graph.onlineMeeting")
      }
      if name == "participants" {
        meeting[name] = .object((meeting[name]?.object ?? [:]).merging(value.object ?? [:]) { $1 })
      } else {
        meeting[name] = value
      }
    }
    let times = ["startDateTime", "endDateTime"].map { meeting[$0]?.string.flatMap { Instant(rfc3339: $0) } }
    guard let start = times[0], let end = times[1], start <= end else {
      throw GraphErrorResponse(400, "InvalidArgument", "endDateTime must not be earlier than startDateTime.")
    }
    return meeting
  }

  private static let notFound = GraphErrorResponse(404, "NotFound", "The online meeting was not found.")
}

extension GraphRoute {
  private static let read = GraphAccess("OnlineMeetings.Read")
  private static let readApps = GraphAccess("OnlineMeetings.Read.All")
  private static let write = GraphAccess("OnlineMeetings.ReadWrite")
  private static let writeApps = GraphAccess("OnlineMeetings.ReadWrite.All")

  static let onlineMeetingRoutes: [GraphRoute] = [
    GraphRoute(.get, .user, "onlineMeetings", .other, needs: read, forApps: readApps, isForPersonal: false) {
      call, state throws(GraphErrorResponse) in try OnlineMeetings.list(call, state)
    },
    GraphRoute(.post, .user, "onlineMeetings", .other, needs: write, forApps: writeApps, isForPersonal: false) {
      call, state throws(GraphErrorResponse) in try OnlineMeetings.create(call, &state)
    },
    GraphRoute(.get, .user, "onlineMeetings/{}", .other, needs: read, forApps: readApps, isForPersonal: false) {
      call, state throws(GraphErrorResponse) in
      let (meetings, index) = try OnlineMeetings.find(call, state)
      return try OnlineMeetings.entity(meetings[index], call)
    },
    GraphRoute(.patch, .user, "onlineMeetings/{}", .other, needs: write, forApps: writeApps, isForPersonal: false) {
      call, state throws(GraphErrorResponse) in try OnlineMeetings.update(call, &state)
    },
    GraphRoute(.delete, .user, "onlineMeetings/{}", .other, needs: write, forApps: writeApps, isForPersonal: false) {
      call, state throws(GraphErrorResponse) in try OnlineMeetings.delete(call, &state)
    },
  ]
}
