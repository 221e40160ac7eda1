import Documents
import HTTPTypes

/// `/me/presence`: every user is available.
extension GraphRoute {
  static let presenceRoutes: [GraphRoute] = [
    GraphRoute(
      .get, .user, "presence", .other, needs: GraphAccess("Presence.Read"),
      forOthers: GraphAccess("Presence.Read.All"), forApps: GraphAccess("Presence.Read.All"), isForPersonal: false
    ) { call, _ throws(GraphErrorResponse) in
      guard let subject = call.subject else { throw .delegatedOnly }
      let id = UserResource.id(of: subject.member)
      return .entity(
        ["id": .string(id), "availability": "Available", "activity": "Available", "statusMessage": nil],
        context: call.context("users('\(id)')/presence/$entity"))
    }
  ]
}
