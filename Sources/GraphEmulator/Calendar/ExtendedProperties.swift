import Documents
import Effects
import OAuth
import OrderedCollections

/// `singleValueExtendedProperties`: MAPI properties that an app stores with an item. Responses include these properties
/// only if the request expands them with a filter on their ids.
enum ExtendedProperties {
  static let name = "singleValueExtendedProperties"
  /// The maximum number of properties per item.
  private static let limit = 100

  private static let types: Set<String> = [
    "boolean", "integer", "short", "long", "double", "float", "currency", "string", "systemtime", "clsid", "binary",
    "applicationtime",
  ]

  /// Merges the properties from a request body into the properties of an item. A property replaces an existing property
  /// with the same id.
  static func merged(_ changes: JSON, into old: JSON?) throws(GraphErrorResponse) -> JSON {
    guard let list = changes.array else { throw invalid("'\(name)' must be a list.") }
    var merged: OrderedDictionary<String, JSON> = [:]
    for property in old?.array ?? [] { merged[property["id"]?.string?.lowercased() ?? ""] = property }
    for property in list {
      guard let id = property.member("id")?.string, isValid(id) else {
        throw invalid("The id of an extended property must have the format '{type} {GUID} Name {name}'.")
      }
      guard let value = property.member("value")?.string else {
        throw invalid("The value of the extended property '\(id.prefix(80))' must be text.")
      }
      merged[id.lowercased()] = ["id": .string(id), "value": .string(value)]
    }
    guard merged.count <= limit else { throw invalid("An item can have at most \(limit) extended properties.") }
    return .array(Array(merged.values))
  }

  /// Whether an id has a valid format: `String {66f5a359-4659-4830-9070-00040ec6ac6e} Name Color`, `Integer {…} Id
  /// 0x8001`, or `String 0x0037`.
  private static func isValid(_ id: String) -> Bool {
    let words = id.split(separator: " ", maxSplits: 3).map(String.init)
    guard let type = words.first?.lowercased(), types.contains(type) else { return false }
    if words.count == 2 { return words[1].lowercased().hasPrefix("0x") }
    guard words.count == 4, words[1].hasPrefix("{"), words[1].hasSuffix("}") else { return false }
    return UUIDText.isValid(String(words[1].dropFirst().dropLast())) && ["name", "id"].contains(words[2].lowercased())
  }

  private static func invalid(_ message: String) -> GraphErrorResponse {
    GraphErrorResponse(400, "ErrorInvalidProperty", message)
  }

  /// Returns the filter inside `$expand`, or nil if the request does not expand the properties.
  static func expansion(_ call: GraphRequestContext) throws(GraphErrorResponse) -> ODataFilter? {
    let requested = name.lowercased()
    guard let part = ODataExpand.parts(call.query.expand).first(where: { $0.name.lowercased() == requested }) else {
      return nil
    }
    guard let filter = part.options.first(where: { $0.lowercased().hasPrefix("$filter=") }) else {
      throw .notEmulated("$expand=\(name) without $filter")
    }
    return try ODataFilter(parsing: String(filter.dropFirst("$filter=".count)))
  }

  /// Returns the item with only the extended properties that match the filter. Omits the key if no property matches.
  static func filtered(_ item: JSON, _ expansion: ODataFilter?) -> JSON {
    var item = item
    let all = item[name]?.array ?? []
    let matches = expansion.map { filter in all.filter { filter.matches($0) } } ?? []
    var members = item.object ?? [:]
    members[name] = matches.isEmpty ? nil : .array(matches)
    item = .object(members)
    return item
  }
}

/// A parsed `$expand` value.
enum ODataExpand {
  struct Part {
    var name: String
    /// The query options in parentheses.
    var options: [String]
  }

  static func parts(_ text: String?) -> [Part] {
    guard let text else { return [] }
    return split(text, at: ",").map { part in
      let name = part.prefix { $0 != "(" }
      var inner = part.dropFirst(name.count)
      if inner.hasPrefix("("), inner.hasSuffix(")") { inner = inner.dropFirst().dropLast() }
      return Part(
        name: name.trimmingSpaces(), options: split(String(inner), at: ";").map { $0.trimmingSpaces() })
    }
  }

  /// Splits text at each separator outside parentheses and quotes.
  private static func split(_ text: String, at separator: Character) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    var depth = 0
    var isQuoted = false
    for index in text.indices {
      switch text[index] {
      case "'": isQuoted.toggle()
      case "(" where !isQuoted: depth += 1
      case ")" where !isQuoted: depth -= 1
      case separator where !isQuoted && depth == 0:
        parts.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
    }
    parts.append(text[start...])
    return parts.filter { !$0.isEmpty }
  }
}
