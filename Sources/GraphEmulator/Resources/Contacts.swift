import Documents
import Effects
import HTTPTypes
import OrderedCollections

/// Graph's `contact` resource: the caller's contacts.
enum ContactResource {
  private static let defaults: OrderedDictionary<String, JSON> = [
    "categories": [], "parentFolderId": "", "birthday": nil, "fileAs": "", "displayName": "", "givenName": nil,
    "initials": nil, "middleName": nil, "nickName": nil, "surname": nil, "title": nil, "imAddresses": [],
    "jobTitle": nil, "companyName": nil, "department": nil, "officeLocation": nil, "profession": nil,
    "businessHomePage": nil, "assistantName": nil, "manager": nil, "homePhones": [], "mobilePhone": nil,
    "businessPhones": [], "spouseName": nil, "personalNotes": "", "children": [], "emailAddresses": [],
    "homeAddress": [:], "businessAddress": [:], "otherAddress": [:],
  ]
  private static let readOnly: Set<String> = [
    "id", "changeKey", "createdDateTime", "lastModifiedDateTime", "parentFolderId",
  ]
  private static let properties = PropertyNames(defaults.keys).union(readOnly)

  private static func complete(_ contact: JSON, id: String, owner: String, created: Instant) -> JSON {
    let stamp = JSON.string(created.rfc3339())
    var members: OrderedDictionary<String, JSON> = [
      "id": .string(id), "createdDateTime": stamp, "lastModifiedDateTime": stamp, "changeKey": "",
    ]
    for (key, value) in defaults { members[key] = value }
    for (key, value) in contact.object ?? [:] where !key.contains("@") && !readOnly.contains(key) {
      members[properties.exactName(key) ?? key] = value
    }
    let names = [members["givenName"]?.string, members["surname"]?.string].compactMap { $0 }
    if members["displayName"]?.string?.isEmpty != false {
      members["displayName"] = .string(names.joined(separator: " "))
    }
    if members["fileAs"]?.string?.isEmpty != false {
      members["fileAs"] = .string(names.reversed().joined(separator: ", "))
    }
    members["parentFolderId"] = .string(OutlookID.item("contactFolder", owner))
    return EventDefaults.withChangeKey(.object(members))
  }

  static func all(of owner: String, _ state: GraphState) -> [JSON] {
    state.collection("contacts", of: owner)
      ?? state.seeds("contacts", of: owner).enumerated().map { index, seed in
        complete(seed, id: OutlookID.item("contact", owner, String(index)), owner: owner, created: state.epoch)
      }
  }

  static func collection(_ items: [JSON], _ call: GraphRequestContext) -> GraphCollection {
    let owner = call.subject.map { UserResource.id(of: $0.member) } ?? ""
    var collection = GraphCollection(
      items: items, context: "users('\(owner)')/contacts", style: .outlook, properties: properties,
      typeName: "microsoft.graph.contact", alwaysIncluded: ["id", "@odata.etag"],
      searchPaths: [["displayName"], ["emailAddresses"], ["companyName"]])
    collection.present = { item in
      var members: OrderedDictionary<String, JSON> = [
        "@odata.etag": .string("W/\"\(item["changeKey"]?.string ?? "")\"")
      ]
      for (key, value) in item.object ?? [:] { members[key] = value }
      return .object(members)
    }
    return collection
  }

  static func find(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> (
    contacts: [JSON], index: Int
  ) {
    let contacts = all(of: try MessageResource.owner(call), state)
    guard let index = contacts.firstIndex(where: { $0["id"]?.string == call.parameters.last }) else {
      throw .itemNotFound
    }
    return (contacts, index)
  }

  static func create(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    let owner = try MessageResource.owner(call)
    let body = try call.object()
    try check(body)
    let id = OutlookID.item("contact", owner, call.randomness.uuid())
    let contact = complete(body, id: id, owner: owner, created: call.now)
    state.setCollection("contacts", of: owner, to: all(of: owner, state) + [contact])
    var headers = HTTPFields()
    headers[.location] = "\(call.root)/me/contacts('\(id)')"
    return try collection([], call).entity(contact, call, status: 201, headers: headers)
  }

  static func update(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    var (contacts, index) = try find(call, state)
    let body = try call.object()
    try check(body)
    for (key, value) in body.object ?? [:] where !key.contains("@") && !readOnly.contains(key) {
      contacts[index][properties.exactName(key) ?? key] = value
    }
    contacts[index]["lastModifiedDateTime"] = .string(call.now.rfc3339())
    contacts[index] = EventDefaults.withChangeKey(contacts[index])
    state.setCollection("contacts", of: try MessageResource.owner(call), to: contacts)
    return try collection([], call).entity(contacts[index], call)
  }

  static func delete(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    var (contacts, index) = try find(call, state)
    contacts.remove(at: index)
    state.setCollection("contacts", of: try MessageResource.owner(call), to: contacts)
    return .noContent
  }

  private static func check(_ body: JSON) throws(GraphErrorResponse) {
    for key in body.object?.keys ?? [] where !key.contains("@") {
      guard properties.contains(key) else {
        throw .malformed("The property '\(key)' does not exist on type 'microsoft.graph.contact'.")
      }
    }
  }
}

extension GraphRoute {
  private static let read = GraphAccess("Contacts.Read")
  private static let write = GraphAccess("Contacts.ReadWrite")

  static let contactRoutes: [GraphRoute] = [
    GraphRoute(.get, .user, "contacts", .exchange, needs: read, forApps: read) {
      call, state throws(GraphErrorResponse) in
      try ContactResource.collection(ContactResource.all(of: try MessageResource.owner(call), state), call).response(
        call)
    },
    GraphRoute(.post, .user, "contacts", .exchange, needs: write, forApps: write) {
      call, state throws(GraphErrorResponse) in
      try ContactResource.create(call, &state)
    },
    GraphRoute(.get, .user, "contacts/{}", .exchange, needs: read, forApps: read) {
      call, state throws(GraphErrorResponse) in
      let (contacts, index) = try ContactResource.find(call, state)
      return try ContactResource.collection([], call).entity(contacts[index], call)
    },
    GraphRoute(.patch, .user, "contacts/{}", .exchange, needs: write, forApps: write) {
      call, state throws(GraphErrorResponse) in try ContactResource.update(call, &state)
    },
    GraphRoute(.delete, .user, "contacts/{}", .exchange, needs: write, forApps: write) {
      call, state throws(GraphErrorResponse) in try ContactResource.delete(call, &state)
    },
  ]
}
