import Documents
import JSONPath
import Testing

/// One line of a table: a selector `s` on a document `d` gives the values `r` (and the paths `p`), or is no query.
struct QueryCase: Sendable, CustomTestStringConvertible {
  var selector: String
  var document: JSON = .null
  var values: [JSON] = []
  var paths: [String]?

  var testDescription: String { selector }

  /// Reads a table of JSON lines.
  static func table(_ lines: String) -> [QueryCase] {
    lines.split(separator: "\n").map { line in
      do {
        let json = try JSON(parsing: Array(line.utf8))
        return QueryCase(
          selector: json["s"]?.string ?? "", document: json["d"] ?? .null, values: json["r"]?.array ?? [],
          paths: json["p"]?.array?.compactMap(\.string))
      } catch {
        // Shows up as a failing case that names the line.
        return QueryCase(selector: "unreadable line: \(line)")
      }
    }
  }

  /// Reads a table with one selector as a JSON string on each line.
  static func selectors(_ lines: String) -> [String] {
    lines.split(separator: "\n").map { line in
      do {
        return try JSON(parsing: Array(line.utf8)).string ?? "$"
      } catch {
        return "$"
      }
    }
  }

  func check() throws {
    let query = try JSONPathQuery(parsing: selector)
    let matches = try query.select(from: document)
    #expect(matches.map(\.value) == values, "\(selector)")
    #expect(try query.values(in: document) == values, "\(selector)")
    if let paths { #expect(matches.map(\.normalizedPath.description) == paths, "\(selector)") }
    // A normalized path is itself a query for exactly its node, and the same path again.
    for match in matches {
      let again = try JSONPathQuery(parsing: match.normalizedPath.description)
      #expect(again.isSingular)
      let found = try again.select(from: document)
      #expect(found.map(\.value) == [match.value])
      #expect(found.first?.normalizedPath == match.normalizedPath)
    }
  }
}
