import Documents
import OrderedCollections

/// Collections of `directoryObject` resources, in which each item has an `@odata.type`.
enum DirectoryObjects {
  static func collection(_ items: [JSON], properties: PropertyNames? = nil) -> GraphCollection {
    GraphCollection(
      items: items, context: "directoryObjects", style: .directory, properties: properties,
      typeName: "microsoft.graph.directoryObject", alwaysIncluded: ["@odata.type"],
      searchPaths: [["displayName"], ["description"]])
  }

  static func users(_ members: [GraphState.Member], _ call: GraphRequestContext) -> GraphCollection {
    var collection = collection(members.map { user($0) }, properties: UserResource.properties)
    collection.defaults = UserResource.defaultNames
    return collection
  }

  static func user(_ member: GraphState.Member) -> JSON { typed(UserResource.json(member), "#microsoft.graph.user") }

  /// Returns the object with its type as the first member.
  static func typed(_ json: JSON, _ type: String) -> JSON {
    var members: OrderedDictionary<String, JSON> = ["@odata.type": .string(type)]
    for (key, value) in json.object ?? [:] { members[key] = value }
    return .object(members)
  }
}
