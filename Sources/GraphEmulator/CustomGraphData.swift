import Documents
import OrderedCollections

/// The custom data under the directory's `graph` key, which overrides built-in resources and adds new resources.
enum CustomGraphData {
  /// Returns a function that creates the response from custom data, or nil if there is no custom data for the path.
  static func response(
    _ call: GraphRequestContext, _ state: GraphState
  ) -> (@Sendable (GraphRequestContext) throws(GraphErrorResponse) -> GraphResponse)? {
    guard !state.customData.isEmpty, let data = data(call, state) else { return nil }
    let context = call.segments.joined(separator: "/")
    guard let items = data.array else {
      // An object with a context and a list is already a complete response.
      guard data["value"]?.array == nil || data["@odata.context"] == nil else {
        return { _ in GraphResponse(body: .json(data)) }
      }
      guard let list = data["value"]?.array else {
        guard data.object != nil else { return { _ in GraphResponse(body: .json(data)) } }
        return { call throws(GraphErrorResponse) in
          try GraphCollection(items: [], context: context, style: .outlook, typeName: "data").entity(data, call)
        }
      }
      return { call throws(GraphErrorResponse) in try collection(list, context).response(call) }
    }
    return { call throws(GraphErrorResponse) in try collection(items, context).response(call) }
  }

  private static func collection(_ items: [JSON], _ context: String) -> GraphCollection {
    GraphCollection(
      items: items, context: context, style: .outlook, typeName: "data", alwaysIncluded: ["id", "@odata.etag"])
  }

  /// Returns the custom data for a request. A key is a path. The version and the query are optional. A key with a
  /// version applies only to that version.
  private static func data(_ call: GraphRequestContext, _ state: GraphState) -> JSON? {
    let path = "/" + call.segments.joined(separator: "/")
    let pathWithQuery = call.request.query.isEmpty ? nil : path + "?" + call.request.query
    for requested in [pathWithQuery, path].compactMap({ $0?.lowercased() }) {
      for (key, data) in state.customData {
        let key = (key.hasPrefix("/") ? key : "/" + key).lowercased()
        if key == requested || key == "/\(call.version)\(requested)" { return data }
      }
    }
    return nil
  }
}
