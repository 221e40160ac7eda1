import Documents
import OAuth
import OrderedCollections

/// `…/delta`: what changed since the last time, by a token that knows what the caller saw.
struct GraphDelta: Sendable {
  var items: [JSON]
  var context: String
  /// The properties served where `$select` says nothing; nil means all.
  var defaults: [String]?
  var workload = GraphWorkload.directory

  func answer(_ call: GraphCall) throws(GraphFailure) -> GraphAnswer {
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
      return page([], link: "deltatoken", DeltaToken(items: shown).text, call)
    }
    if let text = query.deltaToken {
      guard let token = DeltaToken(text) else {
        throw GraphFailure(
          410, "syncStateNotFound", "The sync state generation is not found; start over without a token.")
      }
      return page(
        token.changes(in: shown, gone: workload == .directory ? "changed" : "deleted"), link: "deltatoken",
        DeltaToken(items: shown).text, call)
    }
    let token = try query.skipToken.map { text throws(GraphFailure) in try SkipToken(text, for: call) }
    let offset = min(token?.offset ?? 0, shown.count)
    let asked = query.top ?? call.preference("odata.maxpagesize").flatMap { Int($0) }
    let size = max(1, asked ?? (workload == .directory ? 200 : 10))
    let end = min(offset + size, shown.count)
    if end < shown.count {
      return page(Array(shown[offset..<end]), link: "skiptoken", SkipToken(offset: end).text(for: call), call)
    }
    return page(Array(shown[offset..<end]), link: "deltatoken", DeltaToken(items: shown).text, call)
  }

  private static func project(_ item: JSON, _ wanted: [String]) -> JSON {
    let names = Set(wanted.map { $0.lowercased() } + ["id", "@odata.type", "@odata.etag"])
    return .object((item.object ?? [:]).filter { names.contains($0.key.lowercased()) })
  }

  private func page(_ items: [JSON], link: String, _ token: String, _ call: GraphCall) -> GraphAnswer {
    let parts = call.request.query.split(separator: "&").filter { part in
      let name = part.prefix { $0 != "=" }.lowercased()
      return !name.hasSuffix("skiptoken") && !name.hasSuffix("deltatoken")
    }
    let url =
      "\(call.request.baseURL)\(call.request.path)?"
      + (parts.map(String.init) + ["$\(link)=\(token)"]).joined(separator: "&")
    let members: OrderedDictionary<String, JSON> = [
      "@odata.context": .string(call.context(context)),
      link == "skiptoken" ? "@odata.nextLink" : "@odata.deltaLink": .string(url), "value": .array(items),
    ]
    return GraphAnswer(body: .json(.object(members)))
  }
}

/// What a caller saw: every id with a fingerprint of its item. It travels in the link, so nothing has to be remembered.
struct DeltaToken: Hashable, Sendable {
  private var seen: OrderedDictionary<String, String>

  init(items: [JSON]) {
    seen = [:]
    for item in items { seen[item["id"]?.string ?? ""] = Self.mark(item) }
  }

  init?(_ text: String) {
    guard let bytes = try? Base64URL.decode(text) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    guard let seal = lines.first, lines.dropFirst().joined(separator: "\n").isSealed(with: seal) else { return nil }
    seen = [:]
    for line in lines.dropFirst() where !line.isEmpty {
      let pair = line.split(separator: " ")
      guard pair.count == 2 else { return nil }
      seen[String(pair[0])] = String(pair[1])
    }
  }

  var text: String {
    let content = seen.map { "\($0.key) \($0.value)" }.joined(separator: "\n")
    return Base64URL.encode(Array((String(Fingerprint.of(content), radix: 36) + "\n" + content).utf8))
  }

  /// New and changed items whole, then those that are gone.
  func changes(in items: [JSON], gone reason: String) -> [JSON] {
    let changed = items.filter { seen[$0["id"]?.string ?? ""] != Self.mark($0) }
    let present = Set(items.map { $0["id"]?.string ?? "" })
    let removed = seen.keys.filter { !present.contains($0) }.map { id -> JSON in
      ["id": .string(id), "@removed": ["reason": .string(reason)]]
    }
    return changed + removed
  }

  private static func mark(_ item: JSON) -> String { String(Fingerprint.of(item.text()), radix: 36) }
}

extension String {
  fileprivate func isSealed(with seal: some StringProtocol) -> Bool { String(Fingerprint.of(self), radix: 36) == seal }
}
