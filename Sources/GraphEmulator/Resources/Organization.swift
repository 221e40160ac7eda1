import Directory
import Documents
import HTTPTypes
import OrderedCollections

/// Graph's `organization` resource: the caller's tenant.
enum OrganizationResource {
  static func json(_ tenant: Tenant, includesAll: Bool) -> JSON {
    let domains = tenant.domains.enumerated().map { index, name -> JSON in
      [
        "capabilities": "Email, OfficeCommunicationsOnline", "isDefault": .bool(index == 0),
        "isInitial": .bool(name.lowercased().hasSuffix(".onmicrosoft.com")), "name": .string(name), "type": "Managed",
      ]
    }
    // An app with only `User.Read` can read the organization's id, name, and domains.
    func valueIfReadable(_ value: JSON) -> JSON { includesAll ? value : value.array == nil ? .null : [] }
    return [
      "id": .string(tenant.id), "deletedDateTime": nil, "businessPhones": valueIfReadable([]), "city": nil,
      "country": nil,
      "countryLetterCode": valueIfReadable("US"), "createdDateTime": nil, "defaultUsageLocation": nil,
      "displayName": .string(tenant.name), "isMultipleDataLocationsForServicesEnabled": nil,
      "marketingNotificationEmails": [], "onPremisesLastSyncDateTime": nil, "onPremisesSyncEnabled": nil,
      "postalCode": nil, "preferredLanguage": valueIfReadable("en"), "securityComplianceNotificationMails": [],
      "securityComplianceNotificationPhones": [], "state": nil, "street": nil,
      "technicalNotificationMails": valueIfReadable([]),
      "tenantType": valueIfReadable(tenant.effectiveKind == .b2c ? "AAD B2C" : "AAD"), "assignedPlans": [],
      "provisionedPlans": [], "verifiedDomains": .array(domains),
    ]
  }

  static let properties = PropertyNames(json(Tenant(), includesAll: true).object.map { Array($0.keys) } ?? [])

  static func collection(_ items: [JSON]) -> GraphCollection {
    GraphCollection(
      items: items, context: "organization", style: .directory, properties: properties,
      typeName: "microsoft.graph.organization")
  }

  private static let allProperties = GraphAccess("Organization.Read.All")

  static func item(_ call: GraphRequestContext, _ state: GraphState) -> JSON? {
    state.tenants[call.caller.tenantID].map { json($0, includesAll: call.has(allProperties)) }
  }
}

extension GraphRoute {
  static let organizationRoutes: [GraphRoute] = [
    GraphRoute(
      .get, .root, "organization", .directory, needs: GraphAccess("User.Read", "Organization.Read.All"),
      forApps: GraphAccess("Organization.Read.All"), isForPersonal: false
    ) { call, state throws(GraphErrorResponse) in
      try OrganizationResource.collection(OrganizationResource.item(call, state).map { [$0] } ?? []).response(call)
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
