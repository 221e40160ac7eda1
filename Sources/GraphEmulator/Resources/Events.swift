import Documents
import Effects
import HTTPTypes
import OrderedCollections

/// Graph's `event` resource: the caller's calendar entries.
enum EventResource {
  /// What shows more of an event than when and where it is.
  static let content = GraphAccess("Calendars.Read")

  /// Start and end in the zone asked for, the change key as entity tag, internal members left out.
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
    // Filters look at what is shown, so that start/dateTime is compared in the zone asked for.
    let expansion = try ExtendedProperties.expansion(call)
    return GraphCollection(
      items: items.map(show), context: "users('\(owner)')/\(path)", style: .outlook,
      properties: EventDefaults.properties, typeName: "microsoft.graph.event",
      kept: ["id", "@odata.etag", ExtendedProperties.name],
      searched: [["subject"], ["bodyPreview"], ["location", "displayName"]],
      expandable: [ExtendedProperties.name.lowercased()],
      present: { ExtendedProperties.shown($0, expansion) })
  }

  /// The preferences that were obeyed.
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
    guard let found = EventStore.find(id, in: events) else { throw .itemNotFound }
    guard let date = found.date else { return events[found.index] }
    guard let occurrence = EventStore.occurrence(of: events[found.index], onDate: date) else { throw .itemNotFound }
    return occurrence
  }

  /// Refuses what cannot be an event.
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
    var wanted = body
    for key in EventDefaults.readOnly { wanted[key] = nil }
    if let given = body.member(ExtendedProperties.name) {
      wanted[ExtendedProperties.name] = try ExtendedProperties.merged(given, into: nil)
    }
    let id = OutlookID.item("event", owner.accountID, call.randomness.uuid())
    let event = EventDefaults.sealed(
      try OnlineMeeting.complete(
        EventDefaults.complete(wanted, id: id, owner: owner, created: call.now), before: nil, owner))
    try check(event)
    EventStore.save(EventStore.all(of: owner, state) + [event], of: owner, &state)
    var headers = applied(call)
    let owned = UserResource.id(of: owner.member)
    headers[.location] = "\(call.root)/users('\(owned)')/events('\(id)')"
    return try collection([], call, path: "events").showing(event, call, status: 201, headers: headers)
  }

  static func update(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    let owner = try owner(call)
    let body = try call.object()
    try checkNames(body)
    var events = EventStore.all(of: owner, state)
    guard let found = EventStore.find(call.parameters.last ?? "", in: events) else { throw .itemNotFound }
    try checkMatch(call, events[found.index])
    var changes: OrderedDictionary<String, JSON> = [:]
    for (key, value) in body.object ?? [:] where !key.contains("@") {
      let name = EventDefaults.exactName(key)
      if !EventDefaults.readOnly.contains(name) { changes[name] = value }
    }
    if let given = changes[ExtendedProperties.name] {
      let old = events[found.index][ExtendedProperties.name]
      changes[ExtendedProperties.name] = try ExtendedProperties.merged(given, into: old)
    }
    if let content = changes["body"]?["content"]?.string {
      changes["bodyPreview"] = .string(BodyContentConversion.preview(content))
    }
    var event = events[found.index]
    if let date = found.date {
      guard EventStore.occurrence(of: event, onDate: date) != nil else { throw .itemNotFound }
      var exceptions = event[EventStore.exceptions]?.object ?? [:]
      var exception = exceptions[date]?.object ?? [:]
      exception.merge(changes) { $1 }
      exceptions[date] = .object(exception)
      event[EventStore.exceptions] = .object(exceptions)
    } else {
      for (name, value) in changes { event[name] = value }
      event["type"] = event["recurrence"]?.isNull == false ? "seriesMaster" : "singleInstance"
      event = try OnlineMeeting.complete(event, before: events[found.index], owner)
    }
    try check(event)
    event["lastModifiedDateTime"] = .string(call.now.rfc3339(fractionDigits: 7))
    events[found.index] = EventDefaults.sealed(event)
    EventStore.save(events, of: owner, &state)
    let shown = try one(call, state, id: call.parameters.last ?? "")
    return try collection([], call, path: "events").showing(shown, call, headers: applied(call))
  }

  static func delete(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    let owner = try owner(call)
    var events = EventStore.all(of: owner, state)
    guard let found = EventStore.find(call.parameters.last ?? "", in: events) else { throw .itemNotFound }
    try checkMatch(call, events[found.index])
    if let date = found.date {
      guard EventStore.occurrence(of: events[found.index], onDate: date) != nil else { throw .itemNotFound }
      var exceptions = events[found.index][EventStore.exceptions]?.object ?? [:]
      exceptions[date] = .null
      events[found.index][EventStore.exceptions] = .object(exceptions)
    } else {
      events.remove(at: found.index)
    }
    EventStore.save(events, of: owner, &state)
    return .noContent
  }

  /// `If-Match`: the change is refused where the item changed meanwhile.
  static func checkMatch(_ call: GraphRequestContext, _ item: JSON) throws(GraphErrorResponse) {
    guard let wanted = call.header("If-Match"), wanted != "*" else { return }
    guard wanted == "W/\"\(item["changeKey"]?.string ?? "")\"" else {
      throw GraphErrorResponse(
        412, "ErrorIrresolvableConflict",
        "The send or update operation could not be performed because the change key passed in the request does not match "
          + "the current change key for the item.")
    }
  }
}

extension GraphCollection {
  /// One item, with the presentation that the whole items of this collection have had already.
  func showing(_ item: JSON, _ call: GraphRequestContext, status: Int = 200, headers: HTTPFields = [:])
    throws(GraphErrorResponse)
    -> GraphResponse
  {
    var one = self
    let zone = try EventTime.preferred(call) ?? .utc
    let asText = call.preference("outlook.body-content-type")?.lowercased() == "text"
    let show = EventResource.present(zone, asText: asText, basic: !call.has(EventResource.content))
    let expansion = try ExtendedProperties.expansion(call)
    one.present = { ExtendedProperties.shown(show($0), expansion) }
    return try one.entity(item, call, status: status, headers: headers)
  }
}

extension GraphRoute {
  private static let read = GraphAccess("Calendars.ReadBasic", "Calendars.Read")
  private static let write = GraphAccess("Calendars.ReadWrite")

  /// The paths at which events stand: directly, and inside a calendar.
  private static let places = ["events", "calendar/events", "calendars/{}/events"]

  static let eventRoutes: [GraphRoute] = places.flatMap { place in
    [
      GraphRoute(.get, .user, place, .exchange, needs: read, forApps: read) { call, state throws(GraphErrorResponse) in
        try CalendarResource.check(call, place: place)
        let events = EventStore.all(of: try EventResource.owner(call), state)
        return try EventResource.collection(events, call, path: "events").answer(
          call, headers: EventResource.applied(call))
      },
      GraphRoute(.post, .user, place, .exchange, needs: write, forApps: write) {
        call, state throws(GraphErrorResponse) in
        try CalendarResource.check(call, place: place)
        return try EventResource.create(call, &state)
      },
      GraphRoute(.get, .user, place + "/{}", .exchange, needs: read, forApps: read) {
        call, state throws(GraphErrorResponse) in
        let event = try EventResource.one(call, state, id: call.parameters.last ?? "")
        return try EventResource.collection([], call, path: "events").showing(
          event, call, headers: EventResource.applied(call))
      },
      GraphRoute(.patch, .user, place + "/{}", .exchange, needs: write, forApps: write) {
        call, state throws(GraphErrorResponse) in try EventResource.update(call, &state)
      },
      GraphRoute(.delete, .user, place + "/{}", .exchange, needs: write, forApps: write) {
        call, state throws(GraphErrorResponse) in try EventResource.delete(call, &state)
      },
      GraphRoute(.get, .user, place + "/{}/instances", .exchange, needs: read, forApps: read) {
        call, state throws(GraphErrorResponse) in
        let span = try CalendarView.span(call)
        let event = try EventResource.one(call, state, id: call.parameters.last ?? "")
        let items = EventStore.occurrences(of: event, from: span.start, to: span.end)
        return try EventResource.collection(items, call, path: "events('\(call.parameters.last ?? "")')/instances")
          .answer(call, headers: EventResource.applied(call))
      },
    ]
  }
}
