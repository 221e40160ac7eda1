import ArgumentParser
import Diagnostics
import Documents
import Effects
import JSONPath

struct QueryCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "query", abstract: "Select values in a document with a JSONPath query (RFC 9535)",
    discussion: """
      Prints a JSON array, which is empty if nothing matches. The document can be JSON, YAML, or a property list. A query \
      visits up to 10,000,000 nodes, selects up to 500,000, and prints up to 16 MiB.

      Examples:
        authflow query '$.steps[?@.silent]' Workflows/calendar.json
        authflow query '$.steps[*]' Workflows/me.yaml --paths
      """)

  @Argument(help: "JSONPath, such as `$.value[*].subject`") var path: String
  @Argument(help: "Document to query, or `-` for standard input", completion: .file()) var file: String
  @Flag(help: "Print normalized paths instead of values") var paths = false

  func perform(in session: Session) async throws(ExitStatus) {
    let source = SourceText(name: "<path>", text: path)
    func report(_ rule: String, _ message: String, help: String?, at offset: Int) -> ExitStatus {
      session.show([Diagnostic(.error, rule: rule, message, help: help, at: FileSpan(source, .at(offset)))])
      return .usageError
    }
    let query: JSONPathQuery
    do {
      query = try JSONPathQuery(parsing: path)
    } catch {
      throw report("jsonpath-syntax", error.message, help: error.help, at: error.offset)
    }
    let document = try session.document(at: file)
    do throws(QueryFailure) {
      session.printLine(JSON.array(try nodes(query, in: document.root)).text(pretty: true, sortedKeys: true), as: .json)
    } catch {
      guard let offset = error.offset else { throw .interrupted }
      throw report("jsonpath-budget", "the query \(error.message)", help: error.help, at: offset)
    }
  }

  /// Returns the matches, or their paths. Checks their size before converting them.
  private func nodes(_ query: JSONPathQuery, in root: Node) throws(QueryFailure) -> [JSON] {
    var meter = OutputMeter(of: query)
    var nodes: [JSON] = []
    for match in try query.select(from: root) {
      if paths {
        let path = match.normalizedPath
        try meter.add(path)
        nodes.append(.string(path.description))
      } else {
        try meter.add(match.value)
        nodes.append(match.value.json)
      }
    }
    return nodes
  }
}
