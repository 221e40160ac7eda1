import Directory
import Documents
import HTTPTypes

/// `/me/people`: the people who are most relevant to the user. In the emulator, these are the users in the same
/// department.
extension GraphRoute {
  private static let read = GraphAccess("People.Read")

  static let peopleRoutes: [GraphRoute] = [
    GraphRoute(.get, .user, "people", .exchange, needs: read, forApps: GraphAccess("People.Read.All")) {
      call, state throws(GraphErrorResponse) in
      guard let subject = call.subject else { throw .delegatedOnly }
      let me = subject.member.account.user
      let colleagues = state.members(of: call.caller.tenantID).filter {
        $0.objectID != subject.member.objectID && $0.account.user.department == me.department && me.department != nil
      }
      return try GraphCollection(
        items: colleagues.map(PersonResource.json), context: "users('\(UserResource.id(of: subject.member))')/people",
        style: .outlook, typeName: "microsoft.graph.person", alwaysIncluded: ["id"], searchPaths: [["displayName"]]
      ).response(call)
    }
  ]
}

/// Graph's `person` resource.
private enum PersonResource {
  static func json(_ member: GraphState.Member) -> JSON {
    let user = member.account.user
    func text(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }
    return [
      "id": .string(UserResource.id(of: member)), "displayName": .string(user.shownName),
      "givenName": text(user.givenName), "surname": text(user.surname), "birthday": "", "personNotes": "",
      "isFavorite": false, "jobTitle": text(user.jobTitle), "companyName": nil, "department": text(user.department),
      "officeLocation": text(user.officeLocation), "userPrincipalName": .string(member.userPrincipalName),
      "scoredEmailAddresses": .array(
        user.mail.map { [["address": .string($0), "relevanceScore": 1, "selectionLikelihood": "notSpecified"]] } ?? []),
      "phones": .array(user.businessPhones.map { ["type": "business", "number": .string($0)] }),
      "personType": ["class": "Person", "subclass": "OrganizationUser"],
    ]
  }
}
