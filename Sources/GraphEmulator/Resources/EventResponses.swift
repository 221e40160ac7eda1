import Documents
import Effects
import HTTPTypes

/// The meeting actions: attendees can accept or decline, and organizers can cancel.
enum EventResponses {
  static func respond(_ word: String, _ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse)
    -> GraphResponse
  {
    let owner = try EventResource.owner(call)
    var events = EventStore.all(of: owner, state)
    guard let match = EventStore.find(call.parameters.last ?? "", in: events) else { throw .itemNotFound }
    guard events[match.index]["isOrganizer"]?.bool != true else {
      throw GraphErrorResponse(
        400, "ErrorInvalidRequest",
        "Your request can't be completed. You can't respond to this meeting because "
          + "you're the meeting organizer.")
    }
    if word == "declined" {
      events.remove(at: match.index)
    } else {
      events[match.index]["responseStatus"] = ["response": .string(word), "time": .string(call.now.rfc3339())]
      events[match.index]["showAs"] = word == "accepted" ? "busy" : "tentative"
      events[match.index] = EventDefaults.withChangeKey(events[match.index])
    }
    EventStore.save(events, of: owner, &state)
    return GraphResponse(202)
  }

  static func cancel(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    let owner = try EventResource.owner(call)
    var events = EventStore.all(of: owner, state)
    guard let match = EventStore.find(call.parameters.last ?? "", in: events) else { throw .itemNotFound }
    guard events[match.index]["isOrganizer"]?.bool == true else {
      throw GraphErrorResponse(
        400, "ErrorInvalidRequest", "Your request can't be completed. You need to be an organizer to cancel a meeting.")
    }
    events.remove(at: match.index)
    EventStore.save(events, of: owner, &state)
    return GraphResponse(202)
  }
}

extension GraphRoute {
  private static let write = GraphAccess("Calendars.ReadWrite")

  static let eventResponseRoutes: [GraphRoute] =
    [("accept", "accepted"), ("tentativelyAccept", "tentativelyAccepted"), ("decline", "declined")].map { name, word in
      GraphRoute(.post, .user, "events/{}/\(name)", .exchange, needs: write, forApps: write) {
        call, state throws(GraphErrorResponse) in try EventResponses.respond(word, call, &state)
      }
    } + [
      GraphRoute(.post, .user, "events/{}/cancel", .exchange, needs: write, forApps: write) {
        call, state throws(GraphErrorResponse) in try EventResponses.cancel(call, &state)
      }
    ]
}
