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
    commandName: "convert", abstract: "Convert a document between JSON, YAML, and property lists",
    discussion: """
      The command detects the input syntax from the content. JSON does not support dates, data, or UIDs, so these \
      values become ISO 8601 strings, Base64 strings, and `{"CF$UID": n}`. If the target syntax cannot represent a \
      value, the command reports an error and does not write output. Comments are not converted.

      Examples:
        authflow convert Workflows/sign-out.plist --to yaml
        authflow convert Workflows/me.yaml --to json --output me.json
      """)

  @Argument(help: "Document to convert, or `-` for standard input", completion: .file()) var file: String
  @Option(name: .customLong("to"), help: "Select the target syntax") var target: Target
  @Option(
    name: .shortAndLong, help: ArgumentHelp("Write to this file (default: standard output)", valueName: "file"),
    completion: .file())
  var output: String?

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
          comments.count == 1 ? "1 comment was not converted" : "\(comments.count) comments were not converted",
          help: "keep the original file, or add the comments back", at: FileSpan(document.source, first.span))
      ])
    }
    if let output {
      try session.write(bytes, to: output)
    } else if target == .binaryPlist, session.world.console.isTerminal(.output) {
      throw session.report(
        .usageError, "refusing to print a binary property list to a terminal", help: "use `--output FILE`")
    } else {
      session.world.console.write(bytes, to: .output, as: .data)
    }
  }
}
