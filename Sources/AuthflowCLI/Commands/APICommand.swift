import ArgumentParser
import Diagnostics
import Documents
import Effects
import WorkflowModel
import WorkflowRunner

struct APICommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "api", abstract: "Calls Microsoft Graph once, with a token of the kept cache, and prints the answer.",
    discussion: """
      The token comes by the same ladder as authflow token. An answer that is no success is printed too, and ends with 1.

      Examples:
        authflow api get /me
        authflow api get '/me/messages?$top=3' --pages all
        authflow api post /me/sendMail --data @mail.json
      """)

  enum Method: String, ExpressibleByArgument, CaseIterable {
    case get, post, put, patch, delete
  }

  @Argument(help: "get, post, put, patch or delete.") var method: Method
  @Argument(help: "The path from the slash on, such as /me.") var path: String
  @Option(name: .shortAndLong, help: ArgumentHelp("The body, JSON; @file reads it from there.", valueName: "json"))
  var data: String?
  @Option(
    name: [.customShort("H"), .long], help: ArgumentHelp("A header; may be repeated.", valueName: "name: value"))
  var header: [String] = []
  @Option(help: ArgumentHelp("How many pages are followed: all, or a number.", valueName: "n")) var pages: String?
  @Flag(help: "Ask the beta version of Graph.") var beta = false
  @OptionGroup var options: TokenOptions

  func perform(in session: Session) async throws(ExitStatus) {
    var call: JSON = [method.rawValue: .string(path)]
    if beta { call["version"] = "beta" }
    if let pages { call["pages"] = Int64(pages).map { .integer($0) } ?? .string(pages) }
    if let data { call["body"] = try body(data, in: session) }
    if !header.isEmpty { call["headers"] = try headers(in: session) }
    let step: JSON = ["id": "call", "callGraph": call]
    let outcome = try await TokenAcquisition(options: options, session: session, steps: [step]).acquire()
    let facts = outcome.record.knowledge.facts.facts(of: .init("call"))
    // Also of a refusal the answer is what was asked for.
    if let text = facts?["$"]?.string {
      session.printLine(text, as: .data)
    } else if let body = facts?["$"], !body.isNull {
      session.printLine(body.text(pretty: true), as: .json)
    }
    if let failure = outcome.failure { throw failure }
  }

  private func body(_ data: String, in session: Session) throws(ExitStatus) -> JSON {
    let document: Document
    if data.hasPrefix("@") {
      document = try session.document(at: String(data.dropFirst()))
    } else {
      let reading = DocumentReader.read(Array(data.utf8), named: "--data")
      session.show(reading.diagnostics)
      guard let read = reading.document, !reading.diagnostics.hasErrors else { throw .usageError }
      document = read
    }
    return document.root.json
  }

  private func headers(in session: Session) throws(ExitStatus) -> JSON {
    var headers: JSON = [:]
    for line in header {
      // What is wrong may be a secret, as of an Authorization header without its name: it is not repeated.
      guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
        session.printStatus(
          "error: a header has no name and no colon\n  help: write it as in 'Prefer: outlook.timezone=\"UTC\"'")
        throw .usageError
      }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers[String(line[..<colon])] = .string(String(value))
    }
    return headers
  }
}
