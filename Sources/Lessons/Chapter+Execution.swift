import AppRegistration
import Diagnostics
import Documents
import Scenarios
import WorkflowModel
import WorkflowRunner

/// Loading of a chapter's workflows.
extension Chapter {
  /// The file name of the workflow with the demonstrations, as shown in traces.
  package var workflowFile: String { "\(folder).yaml" }

  /// Returns a loader that provides the chapter's settings and a workflow text, and loads all other documents with
  /// `others`.
  func load(_ text: String, others: @escaping DocumentLoader) -> DocumentLoader {
    { [workflowFile, files] path, options in
      if path == workflowFile { return DocumentReader.read(text, named: path, options: options) }
      if FilePath.name(of: path) == Self.settingsFile, let file = files.first(where: { $0.name == Self.settingsFile }) {
        return DocumentReader.read(file.text, named: path, options: options)
      }
      return others(path, options)
    }
  }

  /// A loader that reports an error for every file.
  private static let nothing: DocumentLoader = { path, _ in
    ReadResult(
      document: nil,
      diagnostics: [Diagnostic(.error, rule: "unreadable-file", "the chapter has no such file", at: .file(path))])
  }

  /// Parses the text of a workflow in the chapter. Tests verify that the text has no errors.
  package func own(_ text: String) -> (loaded: LoadedWorkflow?, diagnostics: [Diagnostic]) {
    LoadedWorkflow.read(workflowFile, load: load(text, others: Self.nothing))
  }

  /// Returns the demonstration with this name, or nil.
  package func demonstration(_ name: String) -> ScenarioCase? {
    own(workflow).loaded?.cases().cases.first { $0.name == name }
  }
}
