import Directory
import Documents
import HTTPTypes
import OrderedCollections

/// Graph's `organization`: the tenant of the caller.
enum OrganizationResource {
  static func json(_ tenant: Tenant, wholly: Bool) -> JSON {
    let domains = tenant.domains.enumerated().map { index, name -> JSON in
      [
        "capabilities": "Email, OfficeCommunicationsOnline", "isDefault": .bool(index == 0),
        "isInitial": .bool(name.lowercased().hasSuffix(".onmicrosoft.com")), "name": .string(name), "type": "Managed",
      ]
    }
    // An app with User.Read alone sees who the organization is, and nothing else of it.
    func known(_ value: JSON) -> JSON { wholly ? value : value.array == nil ? .null : [] }
    return [
      "id": .string(tenant.id), "deletedDateTime": nil, "businessPhones": known([]), "city": nil, "country": nil,
      "countryLetterCode": known("US"), "createdDateTime": nil, "defaultUsageLocation": nil,
      "displayName": .string(tenant.name), "isMultipleDataLocationsForServicesEnabled": nil,
      "marketingNotificationEmails": [], "onPremisesLastSyncDateTime": nil, "onPremisesSyncEnabled": nil,
      "postalCode": nil, "preferredLanguage": known("en"), "securityComplianceNotificationMails": [],
      "securityComplianceNotificationPhones": [], "state": nil, "street": nil, "technicalNotificationMails": known([]),
      "tenantType": known(tenant.effectiveKind == .b2c ? "AAD B2C" : "AAD"), "assignedPlans": [],
      "provisionedPlans": [], "verifiedDomains": .array(domains),
    ]
  }

  static let properties = PropertyNames(json(Tenant(), wholly: true).object.map { Array($0.keys) } ?? [])

  static func collection(_ items: [JSON]) -> GraphCollection {
    GraphCollection(
      items: items, context: "organization", style: .directory, properties: properties,
      typeName: "microsoft.graph.organization")
  }

  private static let whole = GraphAccess("Organization.Read.All")

  static func item(_ call: GraphRequestContext, _ state: GraphState) -> JSON? {
    state.tenants[call.caller.tenantID].map { json($0, wholly: call.has(whole)) }
  }
}

extension GraphRoute {
  static let organizationRoutes: [GraphRoute] = [
    GraphRoute(
      .get, .root, "organization", .directory, needs: GraphAccess("User.Read", "Organization.Read.All"),
      forApps: GraphAccess("Organization.Read.All"), isForPersonal: false
    ) { call, state throws(GraphErrorResponse) in
      try OrganizationResource.collection(OrganizationResource.item(call, state).map { [$0] } ?? []).answer(call)
    },
    GraphRoute(
      .get, .root, "organization/{}", .directory, needs: GraphAccess("User.Read", "Organization.Read.All"),
      forApps: GraphAccess("Organization.Read.All"), isForPersonal: false
    ) { call, state throws(GraphErrorResponse) in
      let id = call.parameters.first ?? ""
      guard let item = OrganizationResource.item(call, state), item["id"]?.string?.lowercased() == id.lowercased()
      else {
        throw .resourceNotFound(id)
      }
      return try OrganizationResource.collection([]).entity(item, call)
    },
  ]
}
