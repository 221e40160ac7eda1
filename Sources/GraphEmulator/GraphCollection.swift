import Documents
import HTTPTypes
import OrderedCollections

/// A collection and how its service answers the OData options over it.
struct GraphCollection: Sendable {
  enum Style: Sendable {
    /// Pages of 100, up to 999, by opaque `$skiptoken`; advanced queries need `ConsistencyLevel: eventual`.
    case directory
    /// Pages of 10, up to 1000, by `$skip`.
    case outlook
    /// Pages of 200 by opaque `$skiptoken`.
    case files
  }

  /// The items whole, in the order in which they come when nothing else is asked.
  var items: [JSON]
  /// The part of the context URL behind `#`.
  var context: String
  var style: Style
  /// The type's properties, against which the query's names are checked; nil takes any.
  var properties: PropertyNames?
  /// `microsoft.graph.user`, for errors.
  var typeName: String
  /// The properties served where `$select` says nothing; nil means all.
  var defaults: PropertyNames?
  /// Members that stay whatever is selected.
  var kept: [String] = []
  /// The paths that `$search` looks at where a clause names none.
  var searched: [[String]] = []
  /// What `$expand` may name.
  var expandable: Set<String> = []
  /// Applied to each item that is served, after filter, order and search saw it whole.
  var present: @Sendable (JSON) -> JSON = { $0 }

  func answer(_ call: GraphRequestContext, headers: HTTPFields = [:]) throws(GraphErrorResponse) -> GraphResponse {
    try check(call)
    let query = call.query
    var found = items
    if let filter = query.filter { found = found.filter { filter.matches($0) } }
    if let search = query.search { found = found.filter { search.matches($0, in: searched) } }
    found = ODataOrder.sorted(found, by: query.orderBy)

    let token = try query.skipToken.map { text throws(GraphErrorResponse) in try SkipToken(text, for: call) }
    let offset = min(token?.offset ?? query.skip ?? 0, found.count)
    let size = try pageSize(call)
    let page = found[offset..<min(offset + size, found.count)]

    var members: OrderedDictionary<String, JSON> = ["@odata.context": .string(call.context(selectedContext(query)))]
    if query.count, token == nil { members["@odata.count"] = .integer(Int64(found.count)) }
    if offset + size < found.count, size > 0 {
      members["@odata.nextLink"] = .string(nextLink(call, offset: offset + size))
    }
    members["value"] = .array(page.map { project(present($0), query.select) })
    return GraphResponse(200, headers: headers, body: .json(.object(members)))
  }

  /// `/$count`: the number as text.
  func count(_ call: GraphRequestContext) throws(GraphErrorResponse) -> GraphResponse {
    if style == .directory, !call.isEventual {
      throw .unsupportedQuery("The request needs the header 'ConsistencyLevel: eventual'.")
    }
    try checkNames(call.query)
    var found = items
    if let filter = call.query.filter { found = found.filter { filter.matches($0) } }
    if let search = call.query.search { found = found.filter { search.matches($0, in: searched) } }
    return GraphResponse(body: .bytes(Array(String(found.count).utf8), mediaType: "text/plain"))
  }

  /// One item as its service shows it, `$select` obeyed.
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
      return .object(members.filter { defaults.has($0.key) || $0.key == "@odata.type" || kept.contains($0.key) })
    }
    let wanted = Set(chosen.map { $0.prefix { $0 != "/" }.lowercased() } + kept.map { $0.lowercased() })
    var projected = members.filter { wanted.contains($0.key.lowercased()) || $0.key == "@odata.type" }
    for name in chosen where !name.contains("@") && properties != nil {
      let exact = properties?.spelled(name) ?? name
      if projected[exact] == nil { projected[exact] = .null }
    }
    return .object(projected)
  }

  private func selectedContext(_ query: ODataQuery) -> String {
    query.select.map { "\(context)(\($0.joined(separator: ",")))" } ?? context
  }

  private func pageSize(_ call: GraphRequestContext) throws(GraphErrorResponse) -> Int {
    let preferred = call.preference("odata.maxpagesize").flatMap { Int($0) }
    let asked = call.query.top ?? preferred
    switch style {
    case .directory:
      guard let asked else { return 100 }
      guard (1...999).contains(asked) else {
        throw .unsupportedQuery("Invalid page size specified: '\(asked)'. Must be between 1 and 999 inclusive.")
      }
      return asked
    case .outlook:
      guard let asked else { return 10 }
      guard (1...1000).contains(asked) else {
        throw GraphErrorResponse(
          400, "RequestBroker--ParseUri",
          "The query specified in the URI is not valid. The value of $top has to be between 1 and 1000.")
      }
      return asked
    case .files:
      guard let asked else { return 200 }
      guard asked >= 1 else {
        throw GraphErrorResponse(400, "invalidRequest", "The value of $top has to be at least 1.")
      }
      return min(asked, 999)
    }
  }

  /// The query as it came, its place in the collection replaced.
  private func nextLink(_ call: GraphRequestContext, offset: Int) -> String {
    let parts = call.request.query.split(separator: "&").filter { part in
      let name = part.prefix { $0 != "=" }.lowercased().replacing("%24", with: "$")
      return !["$skip", "skip", "$skiptoken", "skiptoken"].contains(name)
    }
    let place = style == .outlook ? "$skip=\(offset)" : "$skiptoken=\(SkipToken(offset: offset).text(for: call))"
    return "\(call.request.baseURL)\(call.request.path)?\((parts.map(String.init) + [place]).joined(separator: "&"))"
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
        throw .badRequest("Every clause of $search has the form \"property:text\".")
      }
    }
    let advanced =
      query.filter?.advancedOperator ?? (query.filter != nil && !query.orderBy.isEmpty ? "$orderby with $filter" : nil)
    // The page behind a nextLink repeats the header by itself in real clients, and $count is in the link.
    if let advanced, !(call.isEventual && query.count) {
      throw .unsupportedQuery(
        "'\(advanced)' needs an advanced query: the header 'ConsistencyLevel: eventual' and $count=true.")
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
    // Outlook's search has words of its own in place of properties, such as `from:`.
    let searched = style == .directory ? query.search?.properties ?? [] : []
    for path in (query.filter?.paths ?? []) + query.orderBy.map(\.path) + searched {
      try check(path.first ?? "")
    }
  }
}
