import AppRegistration
import DeclaredFields
import Diagnostics
import Documents
import WorkflowModel

/// A file to be validated, under the name that people know it by.
package struct NamedFile: Sendable {
  package var name: String
  package var bytes: [UInt8]

  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// A file as the rules see it: read, recognised, decoded.
package struct ValidatedFile: Sendable {
  package var name: String
  package var kind: AppRegistrationKind
  package var document: Document?
  /// The settings that it holds, or that stand inside it: a workflow may hold several.
  package var loadedSettings: [LoadedSettings] = []
  package var workflow: Workflow?
  /// What reading and decoding had to say.
  package var diagnostics: [Diagnostic]

  package var root: Node? { document?.root }
}

/// The files that are validated together, and those that they name.
package struct Project: Sendable {
  package var files: [ValidatedFile] = []

  package func file(named name: String) -> ValidatedFile? { files.first { $0.name == name } }

  /// The settings that a workflow runs with, one for each of its apps; a settings file's own.
  package func settings(of file: ValidatedFile) -> [LoadedSettings] {
    let named = file.settingsNodes.flatMap { node -> [LoadedSettings] in
      guard let path = node.string else { return [] }
      return self.file(named: SettingsLoader.path(path, besides: file.name))?.loadedSettings ?? []
    }
    return named + file.loadedSettings
  }
}

extension ValidatedFile {
  /// Where a workflow says what its apps' settings are: paths, or the settings themselves.
  ///
  /// They are taken from the document, so that the settings are judged even where the steps could not be read.
  var settingsNodes: [Node] {
    guard kind == .workflow, let root else { return [] }
    let clients = root["clients"].map { $0.entries.map(\.value) } ?? []
    return [root["settings"]].compactMap { $0 } + clients
  }
}
