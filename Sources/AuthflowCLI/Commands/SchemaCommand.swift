import AppRegistration
import ArgumentParser
import Directory
import Documents
import Effects
import Recordings
import RunTrace
import Validation
import WorkflowModel

struct SchemaCommand: SessionCommand {
  enum Name: String, ExpressibleByArgument, CaseIterable {
    case workflow, scenarios, settings, directory, trace, recording, validation

    var schema: JSON {
      switch self {
      case .workflow: Workflow.schema
      case .scenarios: Workflow.scenariosFileSchema
      case .settings: AppSettings.schema
      case .directory: EmulatedDirectory.fields.schema
      case .trace: TraceSchema.schema
      case .recording: RecordingSchema.schema
      case .validation: ValidationConfiguration.schema
      }
    }

    /// The schema with `$schema` and a title, as published in the `Schemas/` folder.
    var published: JSON {
      var schema = schema
      schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
      if schema["title"] == nil { schema["title"] = .string("authflow \(rawValue)") }
      return schema
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print the JSON Schema (2020-12) for a file format",
    discussion: """
      Use the schema in your editor to complete keys and to check files. `validation` is the schema for \
      `.authflow.yaml`.

      Examples:
        authflow schema workflow > workflow.schema.json
        authflow schema directory > directory.schema.json
      """)

  @Argument(help: "File format") var name: Name

  func perform(in session: Session) async throws(ExitStatus) {
    session.printLine(name.published.text(pretty: true, sortedKeys: true), as: .json)
  }
}
