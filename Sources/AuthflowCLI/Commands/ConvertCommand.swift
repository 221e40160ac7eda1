import ArgumentParser
import Diagnostics
import Documents
import Effects

struct ConvertCommand: SessionCommand {
  enum Target: String, ExpressibleByArgument, CaseIterable {
    case json, yaml, plist
    case binaryPlist = "binary-plist"

    var syntax: DocumentSyntax {
      switch self {
      case .json: .json
      case .yaml: .yaml
      case .plist: .xmlPropertyList
      case .binaryPlist: .binaryPropertyList
      }
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "convert", abstract: "Writes the same document in another syntax.",
    discussion: """
      The input's syntax is found by its content. JSON has no dates, data or UIDs: they become ISO 8601 strings, base64
      strings and {"CF$UID": n}. What the target cannot hold at all is an error, and nothing is written. Comments are lost, with a warning.

      Example: authflow convert Workflows/sign-out.plist --to yaml
      """)

  @Argument(help: "The document, or - for standard input.", completion: .file()) var file: String
  @Option(name: .customLong("to"), help: "json, yaml, plist or binary-plist.") var target: Target
  @Option(name: .shortAndLong, help: "Where to write; standard output otherwise.", completion: .file()) var output:
    String?

  func perform(in session: Session) async throws(ExitStatus) {
    let document = try session.document(at: file)
    let bytes: [UInt8]
    do {
      bytes = try DocumentWriter.write(document, as: target.syntax)
    } catch {
      session.show(error.diagnostics)
      throw .usageError
    }
    let comments = Comments.all(in: document)
    if let first = comments.first {
      session.show([
        Diagnostic(
          .warning, rule: "comments-lost",
          comments.count == 1 ? "1 comment is not converted" : "\(comments.count) comments are not converted",
          help: "copy what you need, and keep the original file", at: FileSpan(document.source, first.span))
      ])
    }
    if let output {
      do {
        try session.world.files.replace(output, with: bytes, privately: false)
      } catch {
        session.printStatus("error: \(error.explanation)")
        throw .environmentFailure
      }
    } else if target == .binaryPlist, session.world.console.isTerminal(.output) {
      session.printStatus("error: a binary property list would only confuse the terminal; name a file with --output")
      throw .usageError
    } else {
      session.world.console.write(bytes, to: .output, as: .data)
    }
  }
}
