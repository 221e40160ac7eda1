import Documents
import Effects
import HTTPTypes
import OrderedCollections

/// Graph's `event` resource: the caller's calendar entries.
enum EventResource {
  /// The permissions to read all properties of an event. Without them, responses contain only the basic properties.
  static let content = GraphAccess("Calendars.Read")

  /// Returns a function that formats an event. The function converts times to the requested time zone, adds an ETag,
  /// and removes internal members.
  static func present(_ zone: EmulatedTimeZone, asText: Bool, basic: Bool) -> @Sendable (JSON) -> JSON {
    { event in
      var members: OrderedDictionary<String, JSON> = [
        "@odata.etag": .string("W/\"\(event["changeKey"]?.string ?? "")\"")
      ]
      for (key, value) in event.object ?? [:] where !key.hasPrefix("~") { members[key] = value }
      for key in ["start", "end"] {
        if let time = try? EventTime(members[key]) { members[key] = time.inZone(zone).json }
      }
      if asText, let content = members["body"]?["content"]?.string {
        members["body"] = ["contentType": "text", "content": .string(BodyContentConversion.text(content))]
      }
      if basic { for key in ["body", "bodyPreview", "hasAttachments"] { members[key] = nil } }
      return .object(members)
    }
  }

  static func collection(_ items: [JSON], _ call: GraphRequestContext, path: String) throws(GraphErrorResponse)
    -> GraphCollection
  {
    let zone = try EventTime.preferred(call) ?? .utc
    let asText = call.preference("outlook.body-content-type")?.lowercased() == "text"
    let show = present(zone, asText: asText, basic: !call.has(EventResource.content))
    let owner = call.subject.map { UserResource.id(of: $0.member) } ?? ""
    // Filters apply to the formatted events, so they compare `start/dateTime` in the requested time zone.
    let expansion = try ExtendedProperties.expansion(call)
    return GraphCollection(
      items: items.map(show), context: "users('\(owner)')/\(path)", style: .outlook,
      properties: EventDefaults.properties, typeName: "microsoft.graph.event",
      alwaysIncluded: ["id", "@odata.etag", ExtendedProperties.name],
      searchPaths: [["subject"], ["bodyPreview"], ["location", "displayName"]],
      expandable: [ExtendedProperties.name.lowercased()],
      present: { ExtendedProperties.filtered($0, expansion) })
  }

  /// Returns the response header that lists the applied preferences.
  static func applied(_ call: GraphRequestContext) -> HTTPFields {
    var headers = HTTPFields()
    var applied: [String] = []
    if let zone = call.preference("outlook.timezone") { applied.append("outlook.timezone=\"\(zone)\"") }
    if let type = call.preference("outlook.body-content-type") {
      applied.append("outlook.body-content-type=\"\(type)\"")
    }
    if let type = call.preference("IdType"), type.lowercased() == "immutableid" {
      applied.append("IdType=\"ImmutableId\"")
    }
    if !applied.isEmpty { headers[.preferenceApplied] = applied.joined(separator: ", ") }
    return headers
  }

  static func owner(_ call: GraphRequestContext) throws(GraphErrorResponse) -> GraphSubject {
    guard let subject = call.subject else { throw .delegatedOnly }
    return subject
  }

  static func one(_ call: GraphRequestContext, _ state: GraphState, id: String) throws(GraphErrorResponse) -> JSON {
    let events = EventStore.all(of: try owner(call), state)
    guard let match = EventStore.find(id, in: events) else { throw .itemNotFound }
    guard let date = match.date else { return events[match.index] }
    guard let occurrence = EventStore.occurrence(of: events[match.index], onDate: date) else { throw .itemNotFound }
    return occurrence
  }

  /// Throws an error if the event is invalid.
  static func check(_ event: JSON) throws(GraphErrorResponse) {
    let start = try EventTime(event["start"])
    let end = try EventTime(event["end"])
    guard end.instant >= start.instant else {
      throw GraphErrorResponse(
        400, "ErrorPropertyValidationFailure",
        "At least one property failed validation: the event "
          + "ends before it starts.")
    }
    if event["isAllDay"]?.bool == true {
      for time in [start, end] where (time.wall.hour, time.wall.minute, time.wall.second) != (0, 0, 0) {
        throw GraphErrorResponse(
          400, "ErrorPropertyValidationFailure",
          "The duration of an all-day event must be at least "
            + "24 hours, from midnight to midnight.")
      }
    }
    if let recurrence = event["recurrence"], !recurrence.isNull { _ = try Recurrence(recurrence, first: start.wall) }
  }

  static func checkNames(_ body: JSON) throws(GraphErrorResponse) {
    for key in body.object?.keys ?? [] where !key.contains("@") {
      guard EventDefaults.properties.contains(key) else {
        throw .malformed("The property '\(key)' does not exist on type 'microsoft.graph.event'.")
      }
    }
  }

  static func create(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    let owner = try owner(call)
    let body = try call.object()
    try checkNames(body)
    var requested = body
    for key in EventDefaults.readOnly { requested[key] = nil }
    if let properties = body.member(ExtendedProperties.name) {
      requested[ExtendedProperties.name] = try ExtendedProperties.merged(properties, into: nil)
    }
    let id = OutlookID.item("event", owner.accountID, call.randomness.uuid())
    let event = EventDefaults.withChangeKey(
      try OnlineMeeting.complete(
        EventDefaults.complete(requested, id: id, owner: owner, created: call.now), before: nil, owner))
    try check(event)
    EventStore.save(EventStore.all(of: owner, state) + [event], of: owner, &state)
    var headers = applied(call)
    let owned = UserResource.id(of: owner.member)
    headers[.location] = "\(call.root)/users('\(owned)')/events('\(id)')"
    return try collection([], call, path: "events").presented(event, call, status: 201, headers: headers)
  }

  static func update(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    let owner = try owner(call)
    let body = try call.object()
    try checkNames(body)
    var events = EventStore.all(of: owner, state)
    guard let match = EventStore.find(call.parameters.last ?? "", in: events) else { throw .itemNotFound }
    try checkMatch(call, events[match.index])
    var changes: OrderedDictionary<String, JSON> = [:]
    for (key, value) in body.object ?? [:] where !key.contains("@") {
      let name = EventDefaults.exactName(key)
      if !EventDefaults.readOnly.contains(name) { changes[name] = value }
    }
    if let properties = changes[ExtendedProperties.name] {
      let old = events[match.index][ExtendedProperties.name]
      changes[ExtendedProperties.name] = try ExtendedProperties.merged(properties, into: old)
    }
    if let content = changes["body"]?["content"]?.string {
      changes["bodyPreview"] = .string(BodyContentConversion.preview(content))
    }
    var event = events[match.index]
    if let date = match.date {
      guard EventStore.occurrence(of: event, onDate: date) != nil else { throw .itemNotFound }
      var exceptions = event[EventStore.exceptions]?.object ?? [:]
      var exception = exceptions[date]?.object ?? [:]
      exception.merge(changes) { $1 }
      exceptions[date] = .object(exception)
      event[EventStore.exceptions] = .object(exceptions)
    } else {
      for (name, value) in changes { event[name] = value }
      event["type"] = event["recurrence"]?.isNull == false ? "seriesMaster" : "singleInstance"
      event = try OnlineMeeting.complete(event, before: events[match.index], owner)
    }
    try check(event)
    event["lastModifiedDateTime"] = .string(call.now.rfc3339(fractionDigits: 7))
    events[match.index] = EventDefaults.withChangeKey(event)
    EventStore.save(events, of: owner, &state)
    let updated = try one(call, state, id: call.parameters.last ?? "")
    return try collection([], call, path: "events").presented(updated, call, headers: applied(call))
  }

  static func delete(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    let owner = try owner(call)
    var events = EventStore.all(of: owner, state)
    guard let match = EventStore.find(call.parameters.last ?? "", in: events) else { throw .itemNotFound }
    try checkMatch(call, events[match.index])
    if let date = match.date {
      guard EventStore.occurrence(of: events[match.index], onDate: date) != nil else { throw .itemNotFound }
      var exceptions = events[match.index][EventStore.exceptions]?.object ?? [:]
      exceptions[date] = .null
      events[match.index][EventStore.exceptions] = .object(exceptions)
    } else {
      events.remove(at: match.index)
    }
    EventStore.save(events, of: owner, &state)
    return .noContent
  }

  /// Throws an error if the item does not match `If-Match`.
  static func checkMatch(_ call: GraphRequestContext, _ item: JSON) throws(GraphErrorResponse) {
    guard let requested = call.header("If-Match"), requested != "*" else { return }
    guard requested == "W/\"\(item["changeKey"]?.string ?? "")\"" else {
      throw GraphErrorResponse(
        412, "ErrorIrresolvableConflict",
        "The send or update operation could not be performed because the change key passed in the request does not match "
          + "the current change key for the item.")
    }
  }
}

extension GraphCollection {
  /// Returns a response with one item, formatted like the items in this collection.
  func presented(_ item: JSON, _ call: GraphRequestContext, status: Int = 200, headers: HTTPFields = [:])
    throws(GraphErrorResponse)
    -> GraphResponse
  {
    var one = self
    let zone = try EventTime.preferred(call) ?? .utc
    let asText = call.preference("outlook.body-content-type")?.lowercased() == "text"
    let show = EventResource.present(zone, asText: asText, basic: !call.has(EventResource.content))
    let expansion = try ExtendedProperties.expansion(call)
    one.present = { ExtendedProperties.filtered(show($0), expansion) }
    return try one.entity(item, call, status: status, headers: headers)
  }
}

extension GraphRoute {
  private static let read = GraphAccess("Calendars.ReadBasic", "Calendars.Read")
  private static let write = GraphAccess("Calendars.ReadWrite")

  /// The paths of the event collections.
  private static let parentPaths = ["events", "calendar/events", "calendars/{}/events"]

  static let eventRoutes: [GraphRoute] = parentPaths.flatMap { parentPath in
    [
      GraphRoute(.get, .user, parentPath, .exchange, needs: read, forApps: read) {
        call, state throws(GraphErrorResponse) in
        try CalendarResource.check(call, parentPath: parentPath)
        let events = EventStore.all(of: try EventResource.owner(call), state)
        return try EventResource.collection(events, call, path: "events").response(
          call, headers: EventResource.applied(call))
      },
      GraphRoute(.post, .user, parentPath, .exchange, needs: write, forApps: write) {
        call, state throws(GraphErrorResponse) in
        try CalendarResource.check(call, parentPath: parentPath)
        return try EventResource.create(call, &state)
      },
      GraphRoute(.get, .user, parentPath + "/{}", .exchange, needs: read, forApps: read) {
        call, state throws(GraphErrorResponse) in
        let event = try EventResource.one(call, state, id: call.parameters.last ?? "")
        return try EventResource.collection([], call, path: "events").presented(
          event, call, headers: EventResource.applied(call))
      },
      GraphRoute(.patch, .user, parentPath + "/{}", .exchange, needs: write, forApps: write) {
        call, state throws(GraphErrorResponse) in try EventResource.update(call, &state)
      },
      GraphRoute(.delete, .user, parentPath + "/{}", .exchange, needs: write, forApps: write) {
        call, state throws(GraphErrorResponse) in try EventResource.delete(call, &state)
      },
      GraphRoute(.get, .user, parentPath + "/{}/instances", .exchange, needs: read, forApps: read) {
        call, state throws(GraphErrorResponse) in
        let span = try CalendarView.span(call)
        let event = try EventResource.one(call, state, id: call.parameters.last ?? "")
        let items = EventStore.occurrences(of: event, from: span.start, to: span.end)
        return try EventResource.collection(items, call, path: "events('\(call.parameters.last ?? "")')/instances")
          .response(call, headers: EventResource.applied(call))
      },
    ]
  }
}
