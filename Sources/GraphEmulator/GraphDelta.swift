import Documents
import HTTPTypes
import OrderedCollections

/// `…/delta`: what changed since the last time, by a token that stands for what the caller saw.
struct GraphDelta: Sendable {
  var items: [JSON]
  var context: String
  /// The properties served where `$select` says nothing; nil means all.
  var defaults: [String]?
  var workload = GraphWorkload.directory

  func answer(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse {
    let query = call.query
    if query.top != nil && workload == .directory || query.expand != nil || !query.orderBy.isEmpty
      || query.search != nil
    {
      throw .badRequest("$top, $expand, $orderby and $search are not supported with delta.")
    }
    var shown = items
    if let wanted = query.select ?? defaults { shown = items.map { Self.project($0, wanted) } }
    if let filter = query.filter {
      guard workload != .directory || filter.paths.allSatisfy({ $0 == ["id"] }) else {
        throw .badRequest("$filter with delta works on the property 'id' only.")
      }
      shown = shown.filter { filter.matches($0) }
    }
    if query.deltaToken?.lowercased() == "latest" {
      return page([], link: "deltatoken", DeltaToken(items: shown, call).kept(in: &state), call)
    }
    if let text = query.deltaToken {
      guard let token = DeltaToken(text, for: call, state) else {
        throw GraphErrorResponse(
          410, "syncStateNotFound", "The sync state generation is not found; start over without a token.",
          headers: [.location: link(nil, call)])
      }
      let isMinimal = call.preference("return")?.lowercased() == "minimal"
      let gone = workload == .directory ? "changed" : "deleted"
      var answer = page(
        token.changes(in: shown, gone: gone, isMinimal: isMinimal), link: "deltatoken",
        DeltaToken(items: shown, call).kept(in: &state), call)
      if isMinimal { answer.headers[.preferenceApplied] = "return=minimal" }
      return answer
    }
    let token = try query.skipToken.map { text throws(GraphErrorResponse) in try SkipToken(text, for: call) }
    let offset = min(token?.offset ?? 0, shown.count)
    let asked = query.top ?? call.preference("odata.maxpagesize").flatMap { Int($0) }
    let size = max(1, asked ?? (workload == .directory ? 200 : 10))
    // The size is the caller's and may be as large as a number can be.
    let end = offset + min(size, shown.count - offset)
    if end < shown.count {
      return page(Array(shown[offset..<end]), link: "skiptoken", SkipToken(offset: end).text(for: call), call)
    }
    return page(Array(shown[offset..<end]), link: "deltatoken", DeltaToken(items: shown, call).kept(in: &state), call)
  }

  private static func project(_ item: JSON, _ wanted: [String]) -> JSON {
    let names = Set(wanted.map { $0.lowercased() } + ["id", "@odata.type", "@odata.etag"])
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

  /// The request's own URL, its token replaced; nil: without one.
  private func link(_ token: String?, _ call: GraphRequestContext) -> String {
    let parts = call.request.query.split(separator: "&").map(String.init).filter { part in
      let name = part.prefix { $0 != "=" }.lowercased()
      return !name.hasSuffix("skiptoken") && !name.hasSuffix("deltatoken")
    }
    let query = (parts + [token].compactMap { $0 }).joined(separator: "&")
    return "\(call.request.baseURL)\(call.request.path)" + (query.isEmpty ? "" : "?" + query)
  }
}

/// What a caller saw: every id with a fingerprint of its item. The link carries only its name, however many items there
/// are; the state keeps the rest.
package struct DeltaToken: Hashable, Sendable {
  /// What it is about: tenant and path. A token of one collection says nothing about another.
  private var subject: String
  private var seen: OrderedDictionary<String, String>

  init(items: [JSON], _ call: GraphRequestContext) {
    subject = Self.subject(call)
    seen = [:]
    for item in items { seen[item["id"]?.string ?? ""] = Self.mark(item) }
  }

  /// - Returns: nil where nothing is known of that name, or it belongs to another collection.
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
  /// The prefix of the owners of stored delta states.
  package static let ownerPrefix = "delta:"
  private static func owner(_ name: String) -> String { ownerPrefix + name }

  private static func subject(_ call: GraphRequestContext) -> String {
    "\(call.caller.tenantID)/\(call.segments.joined(separator: "/"))".lowercased().replacing("\n", with: " ")
  }

  /// Keeps it under its name: who saw the same gets the same name, so that asking often costs nothing.
  func kept(in state: inout GraphState) -> String {
    let content = subject + "\n" + seen.map { "\($0.key) \($0.value)" }.joined(separator: "\n")
    let number = String(Fingerprint.of(content), radix: 36)
    let other = String(Fingerprint.of(content + subject), radix: 36)
    let name = "\(number)-\(other)-\(seen.count)"
    state.keepSeen(content, as: Self.member, of: Self.owner(name))
    return name
  }

  /// New and changed items, then those that are gone.
  /// - Parameter isMinimal: whether of an item that was seen before only what changed is wanted.
  func changes(in items: [JSON], gone reason: String, isMinimal: Bool) -> [JSON] {
    let changed = items.compactMap { item -> JSON? in
      guard let old = seen[item["id"]?.string ?? ""] else { return item }
      guard old != Self.mark(item) else { return nil }
      guard isMinimal else { return item }
      let known = Set(old.split(separator: ","))
      return .object(
        (item.object ?? [:]).filter { name, value in
          name == "id" || name == "@odata.type" || !known.contains(Substring(Self.mark(name, value)))
        })
    }
    let present = Set(items.map { $0["id"]?.string ?? "" })
    let removed = seen.keys.filter { !present.contains($0) }.map { id -> JSON in
      ["id": .string(id), "@removed": ["reason": .string(reason)]]
    }
    return changed + removed
  }

  /// An item's fingerprint: one of each of its properties, so that it can be told which have changed.
  private static func mark(_ item: JSON) -> String {
    (item.object ?? [:]).map { mark($0.key, $0.value) }.joined(separator: ",")
  }

  private static func mark(_ name: String, _ value: JSON) -> String {
    String(Fingerprint.of(name + "\n" + value.text()), radix: 36)
  }
}
