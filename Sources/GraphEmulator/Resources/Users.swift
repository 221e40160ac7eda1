import Directory
import Documents
import Effects
import HTTPTypes
import OAuth
import OrderedCollections

/// Graph's `user` resource, based on an account in the directory.
enum UserResource {
  /// The properties that a response without `$select` includes, in Graph's order.
  static let defaults = [
    "businessPhones", "displayName", "givenName", "jobTitle", "mail", "mobilePhone", "officeLocation",
    "preferredLanguage", "surname", "userPrincipalName", "id",
  ]

  static let defaultNames = PropertyNames(defaults)

  /// The properties that an app with only `User.ReadBasic.All` can read.
  static let basic: Set<String> = ["displayName", "givenName", "surname", "mail", "id", "userPrincipalName"]

  static let properties = PropertyNames(defaults).union([
    "aboutMe", "accountEnabled", "ageGroup", "birthday", "city", "companyName", "consentProvidedForMinor", "country",
    "createdDateTime", "creationType", "deletedDateTime", "department", "employeeHireDate", "employeeId",
    "employeeType",
    "externalUserState", "faxNumber", "hireDate", "identities", "imAddresses", "interests", "isResourceAccount",
    "lastPasswordChangeDateTime", "legalAgeGroupClassification", "mailNickname", "mySite", "onPremisesSyncEnabled",
    "otherMails", "passwordPolicies", "pastProjects", "postalCode", "proxyAddresses", "responsibilities", "schools",
    "securityIdentifier", "showInAddressList", "signInSessionsValidFromDateTime", "skills", "state", "streetAddress",
    "usageLocation", "userType",
  ])

  /// The properties from the profile service, in lowercase. They are available only in requests for a single user.
  static let profileOnly: Set<String> = [
    "aboutme", "birthday", "hiredate", "interests", "mysite", "pastprojects", "responsibilities", "schools", "skills",
  ]

  /// Returns the object id or, for personal accounts, its last 16 hexadecimal digits.
  static func id(of member: GraphState.Member) -> String {
    guard member.account.homeTenantID == Tenant.personalID, !member.isGuest else { return member.objectID }
    return String(member.objectID.filter { $0 != "-" }.suffix(16))
  }

  /// Returns the resource with all properties.
  static func json(_ member: GraphState.Member) -> JSON {
    let user = member.account.user
    let domain = user.username.split(separator: "@").last.map(String.init) ?? ""
    var members: OrderedDictionary<String, JSON> = [
      "businessPhones": .array(user.businessPhones.map { .string($0) }), "displayName": .string(user.shownName),
      "givenName": text(user.givenName), "jobTitle": text(user.jobTitle), "mail": text(user.mail),
      "mobilePhone": text(user.mobilePhone), "officeLocation": text(user.officeLocation),
      "preferredLanguage": text(user.preferredLanguage), "surname": text(user.surname),
      "userPrincipalName": .string(member.userPrincipalName), "id": .string(id(of: member)),
      "accountEnabled": .bool(!user.isDisabled), "city": text(user.city), "country": text(user.country),
      "department": text(user.department), "userType": member.isGuest ? "Guest" : "Member",
      "creationType": member.isGuest ? "Invitation" : nil, "externalUserState": member.isGuest ? "Accepted" : nil,
      "mailNickname": .string(String(member.userPrincipalName.prefix { $0 != "@" })),
      "imAddresses": .array(user.mail.map { [.string($0)] } ?? []), "otherMails": [],
      "proxyAddresses": .array(user.mail.map { ["SMTP:\($0)"] } ?? []),
      "identities": [
        [
          "signInType": "userPrincipalName", "issuer": .string(domain),
          "issuerAssignedId": .string(member.userPrincipalName),
        ]
      ],
    ]
    for (name, value) in user.properties { members[exactName(name)] = value }
    return .object(members)
  }

  static func exactName(_ name: String) -> String {
    properties.exactName(name) ?? name
  }

  private static func text(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }

  static func collection(_ members: [GraphState.Member], _ call: GraphRequestContext) -> GraphCollection {
    var collection = GraphCollection(
      items: members.map { json($0) }, context: "users", style: .directory, properties: properties,
      typeName: "microsoft.graph.user", defaults: defaultNames)
    if !call.has(allProperties) { collection.present = basicOnly }
    return collection
  }

  private static let allProperties = GraphAccess("User.Read.All")

  /// Throws an error if a filter, search, or sort order uses properties that the caller cannot read, because the result
  /// would reveal their values.
  static func checkQuery(_ call: GraphRequestContext) throws(GraphErrorResponse) {
    guard !call.has(allProperties) else { return }
    let query = call.query
    let requestedPaths = (query.filter?.paths ?? []) + query.orderBy.map(\.path) + (query.search?.properties ?? [])
    let hidden = requestedPaths.compactMap(\.first).contains { name in
      properties.exactName(name).map { !basic.contains($0) } ?? false
    }
    guard !hidden else { throw .denied(by: .directory) }
  }

  /// A transformation that returns null or empty lists for all properties that `User.ReadBasic.All` does not include.
  private static let basicOnly: @Sendable (JSON) -> JSON = { item in
    guard let members = item.object else { return item }
    return .object(
      OrderedDictionary(
        uniqueKeysWithValues: members.map { entry in
          basic.contains(entry.key) ? (entry.key, entry.value) : (entry.key, entry.value.array == nil ? .null : [])
        }))
  }

  /// Returns one user with the properties that the caller can read.
  static func entity(
    _ subject: GraphSubject, _ call: GraphRequestContext, _ state: GraphState
  ) throws(GraphErrorResponse) -> GraphResponse {
    var collection = collection([], call)
    if subject.isCaller { collection.present = { $0 } }
    collection.expandable = ["manager"]
    var response = try collection.entity(json(subject.member), call)
    guard let expand = call.query.expand, case .json(var body) = response.body else { return response }
    guard call.has(allProperties) else { throw .denied(by: .directory) }
    if let manager = Manager.of(subject, call, state) {
      let names = Set(expandedNames(expand) ?? defaults)
      let managerMembers = json(manager).object?.filter { names.contains($0.key) } ?? [:]
      body["manager"] = DirectoryObjects.typed(.object(managerMembers), "#microsoft.graph.user")
    }
    response.body = .json(body)
    return response
  }

  /// Returns the property names from an expansion such as `manager($select=id,displayName)`, or nil if the expansion
  /// has no `$select`.
  private static func expandedNames(_ expand: String) -> [String]? {
    guard let start = expand.firstRange(of: "$select=") else { return nil }
    return expand[start.upperBound...].prefix { $0 != ")" && $0 != ";" }.split(separator: ",").map {
      exactName($0.trimmingSpaces())
    }
  }
}

extension GraphRoute {
  private static let enabling = GraphAccess("User.EnableDisableAccount.All", "User.ReadWrite.All")

  static let userRoutes: [GraphRoute] = [
    GraphRoute(
      .get, .root, "users", .directory, needs: GraphAccess("User.ReadBasic.All", "User.Read.All"),
      forApps: GraphAccess("User.ReadBasic.All", "User.Read.All"), isForPersonal: false
    ) { call, state throws(GraphErrorResponse) in
      if let name = call.query.select?.first(where: { UserResource.profileOnly.contains($0.lowercased()) }) {
        throw GraphErrorResponse(501, "NotImplemented", "'\(name)' is available only for one user at a time.")
      }
      try UserResource.checkQuery(call)
      return try UserResource.collection(state.members(of: call.caller.tenantID), call).response(call)
    },
    GraphRoute(
      .get, .root, "users/$count", .directory, needs: GraphAccess("User.ReadBasic.All", "User.Read.All"),
      forApps: GraphAccess("User.ReadBasic.All", "User.Read.All"), isForPersonal: false
    ) { call, state throws(GraphErrorResponse) in
      try UserResource.checkQuery(call)
      return try UserResource.collection(state.members(of: call.caller.tenantID), call).count(call)
    },
    GraphRoute(
      .get, .root, "users/delta", .directory, needs: GraphAccess("User.ReadBasic.All", "User.Read.All"),
      forApps: GraphAccess("User.Read.All"), isForPersonal: false
    ) { call, state throws(GraphErrorResponse) in
      let users = UserResource.collection(state.members(of: call.caller.tenantID), call)
      return try GraphDelta(
        items: users.items.map(users.present), context: "users", defaults: UserResource.defaults
      ).response(call, &state)
    },
    GraphRoute(
      .get, .user, "", .directory, needs: GraphAccess("User.Read", "User.ReadBasic.All"),
      forOthers: GraphAccess("User.ReadBasic.All", "User.Read.All"),
      forApps: GraphAccess("User.ReadBasic.All", "User.Read.All")
    ) { call, state throws(GraphErrorResponse) in
      guard let subject = call.subject else { throw .delegatedOnly }
      return try UserResource.entity(subject, call, state)
    },
    GraphRoute(
      .patch, .user, "", .directory, needs: GraphAccess("User.ReadWrite"),
      forOthers: GraphAccess("User.ReadWrite.All"), forApps: GraphAccess("User.ReadWrite.All")
    ) { call, state throws(GraphErrorResponse) in
      guard let subject = call.subject else { throw .delegatedOnly }
      // Users cannot disable their own account.
      let isAdministrative = !subject.isCaller && call.has(enabling)
      try UserUpdate(try call.object(), isAdministrative: isAdministrative).apply(to: subject, &state)
      return .noContent
    },
  ]
}
