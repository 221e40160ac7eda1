import Directory
import Documents
import HTTPTypes
import OrderedCollections

/// `/me/joinedTeams`: the user's teams. Each group with a mailbox is a team.
extension GraphRoute {
  static let joinedTeamsRoutes: [GraphRoute] = [
    GraphRoute(
      .get, .user, "joinedTeams", .other, needs: GraphAccess("Team.ReadBasic.All"),
      forApps: GraphAccess("Team.ReadBasic.All"), isForPersonal: false
    ) { call, state throws(GraphErrorResponse) in
      guard let subject = call.subject else { throw .delegatedOnly }
      let groups = subject.member.isGuest ? [] : state.tenants[call.caller.tenantID]?.groups ?? []
      let teams = groups.filter { $0.mail != nil && GroupResource.isMember(subject.member.account.user, of: $0) }
      let items = teams.map { group -> JSON in
        [
          "id": .string(group.id), "createdDateTime": nil, "displayName": .string(group.name),
          "description": group.description.map { .string($0) } ?? .null, "internalId": nil, "classification": nil,
          "specialization": nil, "visibility": nil, "webUrl": nil, "isArchived": false,
          "tenantId": .string(call.caller.tenantID), "isMembershipLimitedToOwners": nil,
        ]
      }
      return try GraphCollection(items: items, context: "teams", style: .files, typeName: "microsoft.graph.team")
        .response(call)
    }
  ]
}
