import ArgumentParser
import Diagnostics
import Documents
import Effects
import WorkflowModel
import WorkflowRunner

struct APICommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "api", abstract: "Call Microsoft Graph and print the response",
    discussion: """
      Acquires a token in the same way as `authflow token`: from the cache if possible, and otherwise by signing in the \
      user. If the response is an error, the command prints it and exits with code 1.

      Examples:
        authflow api get /me
        authflow api get '/me/messages?$top=3' --scopes Mail.Read
      """)

  enum Method: String, ExpressibleByArgument, CaseIterable {
    case get, post, put, patch, delete
  }

  @Argument(help: "HTTP method") var method: Method
  @Argument(help: "Path with a leading slash, such as `/me`") var path: String
  @Option(
    name: .shortAndLong, help: ArgumentHelp("Send this JSON body, or the content of `@file`", valueName: "json|@file"))
  var data: String?
  @Option(
    name: [.customShort("H"), .long], help: ArgumentHelp("Send this header (repeatable)", valueName: "name: value"))
  var header: [String] = []
  @Option(help: ArgumentHelp("Fetch up to this many pages, or `all`", valueName: "n")) var pages: String?
  @Flag(help: "Use the beta version of Graph") var beta = false
  @OptionGroup var options: TokenOptions

  func perform(in session: Session) async throws(ExitStatus) {
    var call: JSON = [method.rawValue: .string(path)]
    if beta { call["version"] = "beta" }
    if let pages { call["pages"] = Int64(pages).map { .integer($0) } ?? .string(pages) }
    if let data { call["body"] = try body(data, in: session) }
    if !header.isEmpty { call["headers"] = try headers(in: session) }
    let step: JSON = ["id": "call", "callGraph": call]
    let outcome = try await TokenAcquisition(options: options, session: session, steps: [step]).acquire()
    let facts = outcome.result.context.facts.facts(of: .init("call"))
    // Print the body of an error response too.
    if let text = facts?["$"]?.string {
      session.printLine(text, as: .data)
    } else if let body = facts?["$"], !body.isNull {
      session.printJSON(body)
    }
    if let failure = outcome.failure { throw failure }
  }

  private func body(_ data: String, in session: Session) throws(ExitStatus) -> JSON {
    let document =
      data.hasPrefix("@")
      ? try session.document(at: String(data.dropFirst()))
      : try session.document(of: DocumentReader.read(Array(data.utf8), named: "--data"))
    return document.root.json
  }

  private func headers(in session: Session) throws(ExitStatus) -> JSON {
    var headers: JSON = [:]
    for line in header {
      // Do not repeat the argument in the error. It can contain a secret, such as the value of an `Authorization`
      // header.
      guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
        throw session.report(
          .usageError, "`--header` requires a name and a value",
          help: "write `--header 'NAME: VALUE'`, as in `--header 'Prefer: outlook.timezone=\"UTC\"'`")
      }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers[String(line[..<colon])] = .string(String(value))
    }
    return headers
  }
}
