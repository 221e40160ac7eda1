import AppRegistration
import Diagnostics
import Documents
import Scenarios
import WorkflowModel
import WorkflowRunner

/// The chapter's own workflows, ready to be run.
extension Chapter {
  /// What the workflow of the demonstrations is called where a run names its file.
  package var workflowFile: String { "\(folder).yaml" }

  /// The chapter's own settings; everything else as `others` has it.
  func load(_ text: String, others: @escaping DocumentLoader) -> DocumentLoader {
    { [workflowFile, files] path, options in
      if path == workflowFile { return DocumentReader.read(text, named: path, options: options) }
      if FilePath.name(of: path) == Self.settingsFile, let file = files.first(where: { $0.name == Self.settingsFile }) {
        return DocumentReader.read(file.text, named: path, options: options)
      }
      return others(path, options)
    }
  }

  /// Nothing but the chapter's own files.
  private static let nothing: DocumentLoader = { path, _ in
    ReadResult(
      document: nil,
      diagnostics: [Diagnostic(.error, rule: "unreadable-file", "the chapter has no such file", at: .file(path))])
  }

  /// One of the chapter's own texts, read; its own tests see to it that nothing is wrong with it.
  package func own(_ text: String) -> (loaded: LoadedWorkflow?, diagnostics: [Diagnostic]) {
    LoadedWorkflow.read(workflowFile, load: load(text, others: Self.nothing))
  }

  /// The demonstration of that name, ready to be run; nil where there is none.
  package func demonstration(_ name: String) -> ScenarioCase? {
    own(workflow).loaded?.cases().cases.first { $0.name == name }
  }
}
