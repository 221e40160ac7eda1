import Documents
import Effects
import HTTPTypes

/// `/me/calendarView`: the events in a time span, including each occurrence of a series.
enum CalendarView {
  /// The longest time span that Outlook accepts: 1825 days.
  private static let maxDuration = Duration.seconds(86_400 * 1825)

  static func span(_ call: GraphRequestContext) throws(GraphErrorResponse) -> (start: Instant, end: Instant) {
    guard let start = call.query.others["startdatetime"], let end = call.query.others["enddatetime"] else {
      throw GraphErrorResponse(
        400, "ErrorInvalidParameter",
        "This request requires a time window specified by the query string parameters StartDateTime and EndDateTime.")
    }
    let span = (start: try instant(start, "StartDateTime"), end: try instant(end, "EndDateTime"))
    guard span.start <= span.end else {
      throw GraphErrorResponse(400, "ErrorInvalidParameter", "StartDateTime must not be later than EndDateTime.")
    }
    guard span.end - span.start <= maxDuration else {
      throw GraphErrorResponse(
        400, "ErrorInvalidParameter",
        "The requested time duration specified for calendarView is too long. The maximum is 1825 days.")
    }
    return span
  }

  /// Parses a timestamp. A timestamp without an offset is in UTC, regardless of the preferred time zone. A space before
  /// the offset is treated as an unescaped plus sign.
  private static func instant(_ text: String, _ name: String) throws(GraphErrorResponse) -> Instant {
    let text = text.utf8.count > 19 ? text.replacing(" ", with: "+") : text
    let timestamp = text.utf8.count == 10 ? text + "T00:00:00" : text.utf8.count == 16 ? text + ":00" : text
    guard let instant = Instant(rfc3339: timestamp) ?? Instant(rfc3339: timestamp + "Z") else {
      throw GraphErrorResponse(400, "ErrorInvalidParameter", "The value '\(text)' of parameter '\(name)' is invalid.")
    }
    return instant
  }

  static func response(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> GraphResponse {
    try collection(call, state).response(call, headers: EventResource.applied(call))
  }

  static func collection(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> GraphCollection
  {
    let span = try span(call)
    let events = EventStore.all(of: try EventResource.owner(call), state)
    let occurrences = events.flatMap { EventStore.occurrences(of: $0, from: span.start, to: span.end) }
    let keyed = occurrences.map { (start: (try? EventTime($0["start"]).instant) ?? span.start, event: $0) }
    let sorted = keyed.enumerated().sorted { left, right in
      (left.element.start, left.offset) < (right.element.start, right.offset)
    }
    return try EventResource.collection(sorted.map(\.element.event), call, path: "calendarView")
  }
}

extension GraphRoute {
  private static let required = GraphAccess("Calendars.ReadBasic", "Calendars.Read")

  static let calendarViewRoutes: [GraphRoute] =
    ["calendarView", "calendar/calendarView", "calendars/{}/calendarView"].flatMap { parentPath in
      [
        GraphRoute(.get, .user, parentPath, .exchange, needs: required, forApps: required) {
          call, state throws(GraphErrorResponse) in
          try CalendarResource.check(call, parentPath: parentPath)
          return try CalendarView.response(call, state)
        },
        GraphRoute(.get, .user, parentPath + "/delta", .exchange, needs: required, forApps: required) {
          call, state throws(GraphErrorResponse) in
          try CalendarResource.check(call, parentPath: parentPath)
          let view = try CalendarView.collection(call, state)
          return try GraphDelta(
            items: view.items.map { ExtendedProperties.filtered($0, nil) }, context: view.context, workload: .exchange
          ).response(call, &state)
        },
      ]
    }
}
