import Documents
import Effects
import OAuth
import OrderedCollections

/// `singleValueExtendedProperties`: MAPI properties that an app keeps with an item. They are shown only when a request
/// expands them, with a filter for their ids.
enum ExtendedProperties {
  static let name = "singleValueExtendedProperties"
  /// The most of one item.
  private static let limit = 100

  private static let types: Set<String> = [
    "boolean", "integer", "short", "long", "double", "float", "currency", "string", "systemtime", "clsid", "binary",
    "applicationtime",
  ]

  /// The properties of an item after a body with these changes: an id that is there already gets the new value.
  static func merged(_ changes: JSON, into old: JSON?) throws(GraphErrorResponse) -> JSON {
    guard let list = changes.array else { throw invalid("'\(name)' must be a list.") }
    var merged: OrderedDictionary<String, JSON> = [:]
    for property in old?.array ?? [] { merged[property["id"]?.string?.lowercased() ?? ""] = property }
    for property in list {
      guard let id = property.member("id")?.string, isValid(id) else {
        throw invalid("The id of an extended property must have the form '{type} {GUID} Name {name}'.")
      }
      guard let value = property.member("value")?.string else {
        throw invalid("The value of the extended property '\(id.prefix(80))' must be text.")
      }
      merged[id.lowercased()] = ["id": .string(id), "value": .string(value)]
    }
    guard merged.count <= limit else { throw invalid("An item can have \(limit) extended properties.") }
    return .array(Array(merged.values))
  }

  /// `String {66f5a359-4659-4830-9070-00040ec6ac6e} Name Color`, `Integer {…} Id 0x8001`, or `String 0x0037`.
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

  /// The filter of the expansion; nil if the request does not expand the properties.
  static func expansion(_ call: GraphRequestContext) throws(GraphErrorResponse) -> ODataFilter? {
    let wanted = name.lowercased()
    guard let part = ODataExpand.parts(call.query.expand).first(where: { $0.name.lowercased() == wanted }) else {
      return nil
    }
    guard let filter = part.options.first(where: { $0.lowercased().hasPrefix("$filter=") }) else {
      throw .notEmulated("$expand=\(name) without $filter")
    }
    return try ODataFilter(parsing: String(filter.dropFirst("$filter=".count)))
  }

  /// The item with only the properties that the expansion asks for; without the member if there is none.
  static func shown(_ item: JSON, _ expansion: ODataFilter?) -> JSON {
    var item = item
    let all = item[name]?.array ?? []
    let found = expansion.map { filter in all.filter { filter.matches($0) } } ?? []
    var members = item.object ?? [:]
    members[name] = found.isEmpty ? nil : .array(found)
    item = .object(members)
    return item
  }
}

/// The value of `$expand`, taken apart.
enum ODataExpand {
  struct Part {
    var name: String
    /// What the parentheses contain, one option each.
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

  /// Splits outside of parentheses and quotes.
  private static func split(_ text: String, at mark: Character) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    var depth = 0
    var isQuoted = false
    for index in text.indices {
      switch text[index] {
      case "'": isQuoted.toggle()
      case "(" where !isQuoted: depth += 1
      case ")" where !isQuoted: depth -= 1
      case mark where !isQuoted && depth == 0:
        parts.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
    }
    parts.append(text[start...])
    return parts.filter { !$0.isEmpty }
  }
}
