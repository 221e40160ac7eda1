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

      Example: authflow query '$.steps[?@.silent]' Workflows/calendar.json
      """)

  @Argument(help: "The path, such as '$.value[*].subject'.") var path: String
  @Argument(help: "The document, or - for standard input.", completion: .file()) var file: String
  @Flag(help: "Print normalized paths instead of values.") var paths = false

  func perform(in session: Session) async throws(ExitStatus) {
    let query: JSONPathQuery
    do {
      query = try JSONPathQuery(parsing: path)
    } catch {
      let source = SourceText(name: "<path>", text: path)
      session.show([
        Diagnostic(
          .error, rule: "jsonpath-syntax", error.message, help: error.help,
          at: Place(source, .at(error.offset)))
      ])
      throw .unusable
    }
    let document = try session.document(at: file)
    let matches = query.select(from: document.root)
    let nodes = matches.map { paths ? JSON.string($0.normalizedPath.description) : $0.value.json }
    session.say(JSON.array(nodes).text(pretty: true, sortedKeys: true), as: .json)
  }
}
