import Documents
import LanguageService

/// Actions on scenarios (LSP 3.17, `textDocument/codeLens`).
enum LSPScenarios: LSPFeature {
  /// The command that finds the cause of a failed sign-in. Its only argument is text, such as a log.
  static let diagnoseCommand = "authflow.diagnose"

  /// The commands for files. The first argument is the URI of a file, and the second is the name of a scenario.
  enum Command: String, CaseIterable {
    /// Runs scenarios and returns their results.
    case run = "authflow.run"
    /// Returns the launch configuration for the debug adapter.
    case debug = "authflow.debug"
    /// Runs a scenario and opens its report.
    case report = "authflow.report"
    /// Adds the same scenarios as `authflow explore --write`.
    case addScenarios = "authflow.addScenarios"
  }

  static func capabilities(for client: LSPClient) -> JSON {
    [
      "codeLensProvider": ["resolveProvider": false],
      "executeCommandProvider": [
        "commands": .array((Command.allCases.map(\.rawValue) + [diagnoseCommand]).map { .string($0) })
      ],
    ]
  }

  static let handlers: [String: LSPHandler] = [
    "textDocument/codeLens": { request throws(RPCError) in
      let document = try request.document()
      return .array(
        document.lenses(request.results).map { lens in
          let command: Command =
            switch lens.action {
            case .run: .run
            case .debug: .debug
            case .report, .result: .report
            }
          let arguments = [request.uri(ofFile: document.name)] + (lens.scenario.map { [$0] } ?? [])
          return [
            "range": request.range(lens.span, in: document.source),
            "command": [
              "title": .string(lens.title), "command": .string(command.rawValue),
              "arguments": .array(arguments.map { .string($0) }),
            ],
          ]
        })
    }
  ]
}
