import Documents
import OrderedCollections

/// A parsed `$search` value, such as `"displayName:wa" OR "mail:x"` for the directory, or quoted text for Outlook.
struct ODataSearch: Hashable, Sendable {
  struct Term: Hashable, Sendable {
    /// The property to search, or nil for all searchable properties.
    var property: String?
    var text: String
  }

  /// The groups of terms. An item matches the search if it matches all terms in at least one group.
  var alternatives: [[Term]]

  init(_ value: String) throws(GraphErrorResponse) {
    alternatives = [[]]
    var rest = value[...]
    while true {
      rest = rest.drop { $0 == " " || $0 == "(" || $0 == ")" }
      guard !rest.isEmpty else { break }
      if rest.hasPrefix("\"") {
        let content = rest.dropFirst().prefix { $0 != "\"" }
        guard content.endIndex < rest.endIndex else { throw Self.failure(value) }
        rest = rest[rest.index(after: content.endIndex)...]
        add(content)
      } else {
        let word = rest.prefix { $0 != " " && $0 != ")" && $0 != "\"" }
        rest = rest.dropFirst(word.count)
        switch word {
        case "AND": break
        case "OR": alternatives.append([])
        default: add(word)
        }
      }
    }
    guard alternatives.allSatisfy({ !$0.isEmpty }) else { throw Self.failure(value) }
  }

  private mutating func add(_ content: Substring) {
    let pair = content.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let term =
      pair.count == 2
      ? Term(property: String(pair[0]), text: String(pair[1])) : Term(property: nil, text: String(content))
    alternatives[alternatives.count - 1].append(term)
  }

  private static func failure(_ value: String) -> GraphErrorResponse {
    .badRequest("The syntax of the $search value '\(value)' is not correct. Enclose each clause in double quotes.")
  }

  /// Whether every clause has a property name, as the directory requires.
  var namesProperties: Bool { alternatives.allSatisfy { $0.allSatisfy { $0.property != nil } } }

  /// The property paths in the clauses.
  var properties: [[String]] {
    alternatives.joined().compactMap { term in term.property?.split(separator: "/").map(String.init) }
  }

  /// Whether an item matches the search. A term matches if a word in the searched properties starts with the term.
  func matches(_ item: JSON, in properties: [[String]]) -> Bool {
    alternatives.contains { group in
      group.allSatisfy { term in
        let paths = term.property.map { [$0.split(separator: "/").map(String.init)] } ?? properties
        return paths.contains { Self.contains(term.text, in: ODataValue.at($0, in: item)) }
      }
    }
  }

  private static func contains(_ requested: String, in value: JSON) -> Bool {
    switch value {
    case .string(let text): contains(requested, in: text)
    case .array(let elements): elements.contains { contains(requested, in: $0) }
    case .object(let members): members.values.contains { contains(requested, in: $0) }
    default: false
    }
  }

  private static func contains(_ requested: String, in text: String) -> Bool {
    let words = split(text)
    let sought = split(requested)
    guard !sought.isEmpty else { return false }
    return sought.allSatisfy { word in words.contains { $0.hasPrefix(word) } }
      || text.lowercased().hasPrefix(requested.lowercased())
  }

  private static func split(_ text: String) -> [Substring] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }
  }
}
