import Documents
import JSONPath
import Testing

/// A line of a test table: the selector `s` selects the values `r` and the paths `p` in the document `d`.
struct QueryCase: Sendable, CustomTestStringConvertible {
  var selector: String
  var document: JSON = .null
  var values: [JSON] = []
  var paths: [String]?

  var testDescription: String { selector }

  /// Parses a table with a JSON object in each line.
  static func table(_ lines: String) -> [QueryCase] {
    lines.split(separator: "\n").map { line in
      do {
        let json = try JSON(parsing: Array(line.utf8))
        return QueryCase(
          selector: json["s"]?.string ?? "", document: json["d"] ?? .null, values: json["r"]?.array ?? [],
          paths: json["p"]?.array?.compactMap(\.string))
      } catch {
        // Creates a failing case that contains the line.
        return QueryCase(selector: "unreadable line: \(line)")
      }
    }
  }

  /// Parses a table with a selector in each line, as a JSON string.
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
    // A normalized path is a query that selects only its node, with the same path.
    for match in matches {
      let pathQuery = try JSONPathQuery(parsing: match.normalizedPath.description)
      #expect(pathQuery.isSingular)
      let selected = try pathQuery.select(from: document)
      #expect(selected.map(\.value) == [match.value])
      #expect(selected.first?.normalizedPath == match.normalizedPath)
    }
  }
}
