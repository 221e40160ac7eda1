import Documents
import HTTPTypes
import OrderedCollections

/// The response to a `delta` request: the changes since the request that returned the token.
struct GraphDelta: Sendable {
  var items: [JSON]
  var context: String
  /// The properties that a response without `$select` includes, or nil for all properties.
  var defaults: [String]?
  var workload = GraphWorkload.directory

  func response(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse {
    let query = call.query
    if query.top != nil && workload == .directory || query.expand != nil || !query.orderBy.isEmpty
      || query.search != nil
    {
      throw .badRequest("$top, $expand, $orderby and $search are not supported with delta.")
    }
    var selected = items
    if let requested = query.select ?? defaults { selected = items.map { Self.project($0, requested) } }
    if let filter = query.filter {
      guard workload != .directory || filter.paths.allSatisfy({ $0 == ["id"] }) else {
        throw .badRequest("$filter with delta supports only the 'id' property.")
      }
      selected = selected.filter { filter.matches($0) }
    }
    if query.deltaToken?.lowercased() == "latest" {
      return page([], link: "deltatoken", DeltaToken(items: selected, call).store(in: &state), call)
    }
    if let text = query.deltaToken {
      guard let token = DeltaToken(text, for: call, state) else {
        throw GraphErrorResponse(
          410, "syncStateNotFound", "The sync state generation was not found. Start again without a token.",
          headers: [.location: link(nil, call)])
      }
      let isMinimal = call.preference("return")?.lowercased() == "minimal"
      let removalReason = workload == .directory ? "changed" : "deleted"
      var response = page(
        token.changes(in: selected, removalReason: removalReason, isMinimal: isMinimal), link: "deltatoken",
        DeltaToken(items: selected, call).store(in: &state), call)
      if isMinimal { response.headers[.preferenceApplied] = "return=minimal" }
      return response
    }
    let token = try query.skipToken.map { text throws(GraphErrorResponse) in try SkipToken(text, for: call) }
    let offset = min(token?.offset ?? 0, selected.count)
    let requestedSize = query.top ?? call.preference("odata.maxpagesize").flatMap { Int($0) }
    let size = max(1, requestedSize ?? (workload == .directory ? 200 : 10))
    // The requested size can be `Int.max`, so avoid an overflow.
    let end = offset + min(size, selected.count - offset)
    if end < selected.count {
      return page(Array(selected[offset..<end]), link: "skiptoken", SkipToken(offset: end).text(for: call), call)
    }
    return page(
      Array(selected[offset..<end]), link: "deltatoken", DeltaToken(items: selected, call).store(in: &state), call)
  }

  private static func project(_ item: JSON, _ requested: [String]) -> JSON {
    let names = Set(requested.map { $0.lowercased() } + ["id", "@odata.type", "@odata.etag"])
    return .object((item.object ?? [:]).filter { names.contains($0.key.lowercased()) })
  }

  private func page(_ items: [JSON], link name: String, _ token: String, _ call: GraphRequestContext) -> GraphResponse {
    let url = link("$\(name)=\(token)", call)
    let members: OrderedDictionary<String, JSON> = [
      "@odata.context": .string(call.context(context)),
      name == "skiptoken" ? "@odata.nextLink" : "@odata.deltaLink": .string(url), "value": .array(items),
    ]
    return GraphResponse(body: .json(.object(members)))
  }

  /// Returns the request URL with a new token, or without a token if `token` is nil.
  private func link(_ token: String?, _ call: GraphRequestContext) -> String {
    let parts = call.request.query.split(separator: "&").map(String.init).filter { part in
      let name = part.prefix { $0 != "=" }.lowercased()
      return !name.hasSuffix("skiptoken") && !name.hasSuffix("deltatoken")
    }
    let query = (parts + [token].compactMap { $0 }).joined(separator: "&")
    return "\(call.request.baseURL)\(call.request.path)" + (query.isEmpty ? "" : "?" + query)
  }
}

/// The items that a caller has already received: the id and a fingerprint of each item. The state stores this list, and
/// the delta link contains only the list's name, so that the link stays short.
package struct DeltaToken: Hashable, Sendable {
  /// The tenant and path. A token is valid only for this collection.
  private var subject: String
  private var seen: OrderedDictionary<String, String>

  init(items: [JSON], _ call: GraphRequestContext) {
    subject = Self.subject(call)
    seen = [:]
    for item in items { seen[item["id"]?.string ?? ""] = Self.fingerprint(item) }
  }

  /// Loads the token with this name. Returns nil if the name is unknown or the token belongs to another collection.
  init?(_ name: String, for call: GraphRequestContext, _ state: GraphState) {
    guard let content = state.collection(Self.member, of: Self.owner(name))?.first?.string else { return nil }
    let lines = content.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.first, first == Self.subject(call) else { return nil }
    subject = String(first)
    seen = [:]
    for line in lines.dropFirst() {
      guard let space = line.lastIndex(of: " ") else { continue }
      seen[String(line[..<space])] = String(line[line.index(after: space)...])
    }
  }

  private static let member = "seen"
  /// The prefix of the owner names under which the state stores delta tokens.
  package static let ownerPrefix = "delta:"
  private static func owner(_ name: String) -> String { ownerPrefix + name }

  private static func subject(_ call: GraphRequestContext) -> String {
    "\(call.caller.tenantID)/\(call.segments.joined(separator: "/"))".lowercased().replacing("\n", with: " ")
  }

  /// Stores the token and returns its name. Tokens with equal content have the same name, so repeated requests do not
  /// use more space.
  func store(in state: inout GraphState) -> String {
    let content = subject + "\n" + seen.map { "\($0.key) \($0.value)" }.joined(separator: "\n")
    let number = String(Fingerprint.of(content), radix: 36)
    let other = String(Fingerprint.of(content + subject), radix: 36)
    let name = "\(number)-\(other)-\(seen.count)"
    state.recordDeltaResult(content, as: Self.member, of: Self.owner(name))
    return name
  }

  /// Returns the new and changed items, followed by the removed items.
  /// - Parameter isMinimal: Whether to return only the changed properties of items that the caller already received.
  func changes(in items: [JSON], removalReason reason: String, isMinimal: Bool) -> [JSON] {
    let changed = items.compactMap { item -> JSON? in
      guard let old = seen[item["id"]?.string ?? ""] else { return item }
      guard old != Self.fingerprint(item) else { return nil }
      guard isMinimal else { return item }
      let oldProperties = Set(old.split(separator: ","))
      return .object(
        (item.object ?? [:]).filter { name, value in
          name == "id" || name == "@odata.type" || !oldProperties.contains(Substring(Self.fingerprint(name, value)))
        })
    }
    let present = Set(items.map { $0["id"]?.string ?? "" })
    let removed = seen.keys.filter { !present.contains($0) }.map { id -> JSON in
      ["id": .string(id), "@removed": ["reason": .string(reason)]]
    }
    return changed + removed
  }

  /// Returns the fingerprint of an item: one hash for each property. Comparing fingerprints shows which properties
  /// changed.
  private static func fingerprint(_ item: JSON) -> String {
    (item.object ?? [:]).map { fingerprint($0.key, $0.value) }.joined(separator: ",")
  }

  private static func fingerprint(_ name: String, _ value: JSON) -> String {
    String(Fingerprint.of(name + "\n" + value.text()), radix: 36)
  }
}
