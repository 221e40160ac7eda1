import Documents
import OrderedCollections

/// Data of the directory's `graph:` key: served where the built-in subset has nothing, and instead of what it has.
enum CustomGraphData {
  /// How the data for this path is answered; nil where there is none.
  static func answer(
    _ call: GraphRequestContext, _ state: GraphState
  ) -> (@Sendable (GraphRequestContext) throws(GraphErrorResponse) -> GraphResponse)? {
    guard !state.extraData.isEmpty, let data = data(call, state) else { return nil }
    let context = call.segments.joined(separator: "/")
    guard let items = data.array else {
      // An object that looks like a whole answer is one.
      guard data["value"]?.array == nil || data["@odata.context"] == nil else {
        return { _ in GraphResponse(body: .json(data)) }
      }
      guard let list = data["value"]?.array else {
        guard data.object != nil else { return { _ in GraphResponse(body: .json(data)) } }
        return { call throws(GraphErrorResponse) in
          try GraphCollection(items: [], context: context, style: .outlook, typeName: "data").entity(data, call)
        }
      }
      return { call throws(GraphErrorResponse) in try collection(list, context).answer(call) }
    }
    return { call throws(GraphErrorResponse) in try collection(items, context).answer(call) }
  }

  private static func collection(_ items: [JSON], _ context: String) -> GraphCollection {
    GraphCollection(items: items, context: context, style: .outlook, typeName: "data", kept: ["id", "@odata.etag"])
  }

  /// A key is a path below the version, with its query or without; a version in it limits it to that one.
  private static func data(_ call: GraphRequestContext, _ state: GraphState) -> JSON? {
    let path = "/" + call.segments.joined(separator: "/")
    let whole = call.request.query.isEmpty ? nil : path + "?" + call.request.query
    for wanted in [whole, path].compactMap({ $0?.lowercased() }) {
      for (key, data) in state.extraData {
        let key = (key.hasPrefix("/") ? key : "/" + key).lowercased()
        if key == wanted || key == "/\(call.version)\(wanted)" { return data }
      }
    }
    return nil
  }
}
