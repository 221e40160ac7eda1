import Documents
import HTTPTypes
import OrderedCollections

/// A collection of Graph items and the OData query options that it supports.
struct GraphCollection: Sendable {
  enum Style: Sendable {
    /// Pages of 100 items by default and 999 items at most, with an opaque `$skiptoken`. Advanced queries require
    /// `ConsistencyLevel: eventual`.
    case directory
    /// Pages of 10 items by default and 1000 items at most, with `$skip`.
    case outlook
    /// Pages of 200 items, with an opaque `$skiptoken`.
    case files
  }

  /// The items with all properties, in the default order.
  var items: [JSON]
  /// The fragment of the `@odata.context` URL, such as `users`.
  var context: String
  var style: Style
  /// The property names that the query can use, or nil to allow any name.
  var properties: PropertyNames?
  /// The type name for errors, such as `microsoft.graph.user`.
  var typeName: String
  /// The properties that a response without `$select` includes, or nil for all properties.
  var defaults: PropertyNames?
  /// The properties that every response includes, regardless of `$select`.
  var alwaysIncluded: [String] = []
  /// The property paths that `$search` searches by default.
  var searchPaths: [[String]] = []
  /// The lowercase names of the properties that `$expand` accepts.
  var expandable: Set<String> = []
  /// Transforms each returned item after filtering, sorting, and searching.
  var present: @Sendable (JSON) -> JSON = { $0 }

  func response(_ call: GraphRequestContext, headers: HTTPFields = [:]) throws(GraphErrorResponse) -> GraphResponse {
    try check(call)
    let query = call.query
    var results = items
    if let filter = query.filter { results = results.filter { filter.matches($0) } }
    if let search = query.search { results = results.filter { search.matches($0, in: searchPaths) } }
    results = ODataOrder.sorted(results, by: query.orderBy)

    let token = try query.skipToken.map { text throws(GraphErrorResponse) in try SkipToken(text, for: call) }
    let offset = min(token?.offset ?? query.skip ?? 0, results.count)
    let size = try pageSize(call)
    let page = results[offset..<min(offset + size, results.count)]

    var members: OrderedDictionary<String, JSON> = ["@odata.context": .string(call.context(selectedContext(query)))]
    if query.count, token == nil { members["@odata.count"] = .integer(Int64(results.count)) }
    if offset + size < results.count, size > 0 {
      members["@odata.nextLink"] = .string(nextLink(call, offset: offset + size))
    }
    members["value"] = .array(page.map { project(present($0), query.select) })
    return GraphResponse(200, headers: headers, body: .json(.object(members)))
  }

  /// Returns the response to a `/$count` request: the number of items as text.
  func count(_ call: GraphRequestContext) throws(GraphErrorResponse) -> GraphResponse {
    if style == .directory, !call.isEventual {
      throw .unsupportedQuery("The request requires the 'ConsistencyLevel: eventual' header.")
    }
    try checkNames(call.query)
    var results = items
    if let filter = call.query.filter { results = results.filter { filter.matches($0) } }
    if let search = call.query.search { results = results.filter { search.matches($0, in: searchPaths) } }
    return GraphResponse(body: .bytes(Array(String(results.count).utf8), mediaType: "text/plain"))
  }

  /// Returns the response for one item, with `$select` applied.
  func entity(_ item: JSON, _ call: GraphRequestContext, status: Int = 200, headers: HTTPFields = [:])
    throws(GraphErrorResponse)
    -> GraphResponse
  {
    try checkNames(call.query)
    try checkExpand(call.query)
    return .entity(
      project(present(item), call.query.select), context: call.context(selectedContext(call.query) + "/$entity"),
      status: status, headers: headers)
  }

  private func project(_ item: JSON, _ select: [String]?) -> JSON {
    guard let members = item.object else { return item }
    guard let chosen = select else {
      guard let defaults else { return item }
      return .object(
        members.filter { defaults.has($0.key) || $0.key == "@odata.type" || alwaysIncluded.contains($0.key) })
    }
    let requested = Set(chosen.map { $0.prefix { $0 != "/" }.lowercased() } + alwaysIncluded.map { $0.lowercased() })
    var projected = members.filter { requested.contains($0.key.lowercased()) || $0.key == "@odata.type" }
    for name in chosen where !name.contains("@") && properties != nil {
      let exact = properties?.exactName(name) ?? name
      if projected[exact] == nil { projected[exact] = .null }
    }
    return .object(projected)
  }

  private func selectedContext(_ query: ODataQuery) -> String {
    query.select.map { "\(context)(\($0.joined(separator: ",")))" } ?? context
  }

  private func pageSize(_ call: GraphRequestContext) throws(GraphErrorResponse) -> Int {
    let preferred = call.preference("odata.maxpagesize").flatMap { Int($0) }
    let requestedSize = call.query.top ?? preferred
    switch style {
    case .directory:
      guard let requestedSize else { return 100 }
      guard (1...999).contains(requestedSize) else {
        throw .unsupportedQuery("Invalid page size specified: '\(requestedSize)'. Must be between 1 and 999 inclusive.")
      }
      return requestedSize
    case .outlook:
      guard let requestedSize else { return 10 }
      guard (1...1000).contains(requestedSize) else {
        throw GraphErrorResponse(
          400, "RequestBroker--ParseUri",
          "The query specified in the URI is not valid. The value of $top must be between 1 and 1000.")
      }
      return requestedSize
    case .files:
      guard let requestedSize else { return 200 }
      guard requestedSize >= 1 else {
        throw GraphErrorResponse(400, "invalidRequest", "The value of $top must be at least 1.")
      }
      return min(requestedSize, 999)
    }
  }

  /// Returns the URL of the next page: the request URL with a new offset.
  private func nextLink(_ call: GraphRequestContext, offset: Int) -> String {
    let parts = call.request.query.split(separator: "&").filter { part in
      let name = part.prefix { $0 != "=" }.lowercased().replacing("%24", with: "$")
      return !["$skip", "skip", "$skiptoken", "skiptoken"].contains(name)
    }
    let parameter = style == .outlook ? "$skip=\(offset)" : "$skiptoken=\(SkipToken(offset: offset).text(for: call))"
    return
      "\(call.request.baseURL)\(call.request.path)?\((parts.map(String.init) + [parameter]).joined(separator: "&"))"
  }
}

extension GraphCollection {
  private func check(_ call: GraphRequestContext) throws(GraphErrorResponse) {
    let query = call.query
    try checkNames(query)
    try checkExpand(query)
    guard style == .directory else {
      if query.search != nil, query.filter != nil || !query.orderBy.isEmpty {
        throw GraphErrorResponse(
          400, "SearchWithFilter", "The query parameters $search and $filter or $orderby cannot be used together.")
      }
      return
    }
    if query.skip != nil { throw .badRequest("'$skip' is not supported by the service.") }
    if query.filter?.usesContains == true {
      throw .unsupportedQuery("Unsupported or invalid query filter clause: the function 'contains' is not supported.")
    }
    if let search = query.search {
      guard call.isEventual else {
        throw .unsupportedQuery(
          "Request with $search query parameter only works through MSGraph with a special request "
            + "header: 'ConsistencyLevel: eventual'")
      }
      guard search.namesProperties else {
        throw .badRequest("Every clause of $search must have the format \"property:text\".")
      }
    }
    let advanced =
      query.filter?.advancedOperator ?? (query.filter != nil && !query.orderBy.isEmpty ? "$orderby with $filter" : nil)
    // This check also applies to later pages: clients repeat the header, and the nextLink contains `$count`.
    if let advanced, !(call.isEventual && query.count) {
      throw .unsupportedQuery(
        "'\(advanced)' requires an advanced query: the header 'ConsistencyLevel: eventual' and $count=true.")
    }
    if query.count, !call.isEventual {
      throw .unsupportedQuery("$count is not currently supported without the header 'ConsistencyLevel: eventual'.")
    }
  }

  private func checkExpand(_ query: ODataQuery) throws(GraphErrorResponse) {
    for part in ODataExpand.parts(query.expand) where !expandable.contains(part.name.lowercased()) {
      throw .notEmulated("$expand=\(part.name) on type \(typeName)")
    }
  }

  private static let everywhere: Set<String> = ["id", "@odata.type", "@odata.etag"]

  private func checkNames(_ query: ODataQuery) throws(GraphErrorResponse) {
    guard let properties else { return }
    func check(_ name: String) throws(GraphErrorResponse) {
      guard !properties.contains(name), !Self.everywhere.contains(name.lowercased()) else { return }
      throw .malformed("Could not find a property named '\(name)' on type '\(typeName)'.")
    }
    for name in query.select ?? [] { try check(String(name.prefix { $0 != "/" })) }
    // Outlook's search uses keywords such as `from:` instead of property names.
    let searchPaths = style == .directory ? query.search?.properties ?? [] : []
    for path in (query.filter?.paths ?? []) + query.orderBy.map(\.path) + searchPaths {
      try check(path.first ?? "")
    }
  }
}
