import Documents
import Effects
import HTTPTypes

/// `/me/calendarView`: what takes place in a span of time, series unfolded.
enum CalendarView {
  /// Spans longer than this are refused, as Outlook does.
  private static let longest = Duration.seconds(86_400 * 1825)

  static func span(_ call: GraphRequestContext) throws(GraphErrorResponse) -> (start: Instant, end: Instant) {
    guard let start = call.query.others["startdatetime"], let end = call.query.others["enddatetime"] else {
      throw GraphErrorResponse(
        400, "ErrorInvalidParameter",
        "This request requires a time window specified by the query string parameters StartDateTime and EndDateTime.")
    }
    let span = (start: try instant(start, "StartDateTime"), end: try instant(end, "EndDateTime"))
    guard span.start <= span.end else {
      throw GraphErrorResponse(400, "ErrorInvalidParameter", "StartDateTime lies behind EndDateTime.")
    }
    guard span.end - span.start <= longest else {
      throw GraphErrorResponse(
        400, "ErrorInvalidParameter",
        "The requested time duration specified for calendarView is too long: it may have 1825 days.")
    }
    return span
  }

  /// A timestamp with its offset, or without, which is UTC whatever the preferred zone is. A space before the offset is a
  /// plus sign that was not escaped.
  private static func instant(_ text: String, _ name: String) throws(GraphErrorResponse) -> Instant {
    let text = text.utf8.count > 19 ? text.replacing(" ", with: "+") : text
    let whole = text.utf8.count == 10 ? text + "T00:00:00" : text.utf8.count == 16 ? text + ":00" : text
    guard let instant = Instant(rfc3339: whole) ?? Instant(rfc3339: whole + "Z") else {
      throw GraphErrorResponse(400, "ErrorInvalidParameter", "The value '\(text)' of parameter '\(name)' is invalid.")
    }
    return instant
  }

  static func answer(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> GraphResponse {
    try collection(call, state).answer(call, headers: EventResource.applied(call))
  }

  static func collection(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> GraphCollection
  {
    let span = try span(call)
    let events = EventStore.all(of: try EventResource.owner(call), state)
    let found = events.flatMap { EventStore.occurrences(of: $0, from: span.start, to: span.end) }
    let keyed = found.map { (start: (try? EventTime($0["start"]).instant) ?? span.start, event: $0) }
    let sorted = keyed.enumerated().sorted { left, right in
      (left.element.start, left.offset) < (right.element.start, right.offset)
    }
    return try EventResource.collection(sorted.map(\.element.event), call, path: "calendarView")
  }
}

extension GraphRoute {
  private static let needed = GraphAccess("Calendars.ReadBasic", "Calendars.Read")

  static let calendarViewRoutes: [GraphRoute] =
    ["calendarView", "calendar/calendarView", "calendars/{}/calendarView"].flatMap { place in
      [
        GraphRoute(.get, .user, place, .exchange, needs: needed, forApps: needed) {
          call, state throws(GraphErrorResponse) in
          try CalendarResource.check(call, place: place)
          return try CalendarView.answer(call, state)
        },
        GraphRoute(.get, .user, place + "/delta", .exchange, needs: needed, forApps: needed) {
          call, state throws(GraphErrorResponse) in
          try CalendarResource.check(call, place: place)
          let view = try CalendarView.collection(call, state)
          return try GraphDelta(
            items: view.items.map { ExtendedProperties.shown($0, nil) }, context: view.context, workload: .exchange
          ).answer(call, &state)
        },
      ]
    }
}
