import ArgumentParser
import Diagnostics
import Documents
import Effects
import JSONPath

struct QueryCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "query", abstract: "Prints the nodes that a JSONPath (RFC 9535) finds in a document.",
    discussion: """
      The result is a JSON array, empty where nothing is found. Documents may be JSON, YAML or property lists.
      A query visits at most 10,000,000 nodes, selects at most 500,000, and prints at most 16 MiB.

      Example: authflow query '$.steps[?@.silent]' Workflows/calendar.json
      """)

  @Argument(help: "The path, such as '$.value[*].subject'.") var path: String
  @Argument(help: "The document, or - for standard input.", completion: .file()) var file: String
  @Flag(help: "Print normalized paths instead of values.") var paths = false

  func perform(in session: Session) async throws(ExitStatus) {
    let source = SourceText(name: "<path>", text: path)
    let query: JSONPathQuery
    do {
      query = try JSONPathQuery(parsing: path)
    } catch {
      session.show([
        Diagnostic(
          .error, rule: "jsonpath-syntax", error.message, help: error.help,
          at: FileSpan(source, .at(error.offset)))
      ])
      throw .usageError
    }
    let document = try session.document(at: file)
    do throws(QueryFailure) {
      session.printLine(JSON.array(try nodes(query, in: document.root)).text(pretty: true, sortedKeys: true), as: .json)
    } catch {
      guard let offset = error.offset else { throw .interrupted }
      session.show([
        Diagnostic(
          .error, rule: "jsonpath-budget", "the query \(error.message)", help: error.help,
          at: FileSpan(source, .at(offset)))
      ])
      throw .usageError
    }
  }

  /// The result, which is measured before it is made.
  private func nodes(_ query: JSONPathQuery, in root: Node) throws(QueryFailure) -> [JSON] {
    var meter = OutputMeter(of: query)
    var nodes: [JSON] = []
    for match in try query.select(from: root) {
      if paths {
        let path = match.normalizedPath
        try meter.take(path)
        nodes.append(.string(path.description))
      } else {
        try meter.take(match.value)
        nodes.append(match.value.json)
      }
    }
    return nodes
  }
}
