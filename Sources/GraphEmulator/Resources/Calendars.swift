import Directory
import Documents
import HTTPTypes
import OrderedCollections

/// Graph's `calendar` resource. Every user has one calendar, which is named Calendar.
enum CalendarResource {
  static func json(_ owner: GraphSubject) -> JSON {
    let user = owner.member.account.user
    let id = id(of: owner)
    return [
      "id": .string(id), "name": "Calendar", "color": "auto", "hexColor": "", "groupClassId": .string(groupClass),
      "isDefaultCalendar": true, "changeKey": .string(OutlookID.changeKey(.string(id))), "canShare": true,
      "canViewPrivateItems": true, "canEdit": true, "allowedOnlineMeetingProviders": ["teamsForBusiness"],
      "defaultOnlineMeetingProvider": "teamsForBusiness", "isTallyingResponses": true, "isRemovable": false,
      "owner": ["name": .string(user.shownName), "address": .string(user.mail ?? user.username)],
    ]
  }

  private static let groupClass = "0006f0b7-0000-0000-c000-000000000046"

  static func id(of owner: GraphSubject) -> String { OutlookID.item("calendar", owner.accountID) }

  static func collection(_ call: GraphRequestContext, _ items: [JSON]) -> GraphCollection {
    let owner = call.subject.map { UserResource.id(of: $0.member) } ?? ""
    return GraphCollection(
      items: items, context: "users('\(owner)')/calendars", style: .outlook,
      typeName: "microsoft.graph.calendar", alwaysIncluded: ["id"])
  }

  /// Throws an error if the user does not have the calendar in the request path.
  static func check(_ call: GraphRequestContext, parentPath: String) throws(GraphErrorResponse) {
    guard parentPath.hasPrefix("calendars/"), let requested = call.parameters.first else { return }
    guard requested == id(of: try EventResource.owner(call)) else { throw .itemNotFound }
  }
}

extension GraphRoute {
  private static let required = GraphAccess("Calendars.ReadBasic", "Calendars.Read")

  static let calendarRoutes: [GraphRoute] = [
    GraphRoute(.get, .user, "calendars", .exchange, needs: required, forApps: required) {
      call, _ throws(GraphErrorResponse) in
      try CalendarResource.collection(call, [CalendarResource.json(try EventResource.owner(call))]).response(call)
    },
    GraphRoute(.get, .user, "calendar", .exchange, needs: required, forApps: required) {
      call, _ throws(GraphErrorResponse) in
      try CalendarResource.collection(call, []).entity(CalendarResource.json(try EventResource.owner(call)), call)
    },
    GraphRoute(.get, .user, "calendars/{}", .exchange, needs: required, forApps: required) {
      call, _ throws(GraphErrorResponse) in
      try CalendarResource.check(call, parentPath: "calendars/")
      return try CalendarResource.collection(call, []).entity(
        CalendarResource.json(try EventResource.owner(call)), call)
    },
  ]
}
