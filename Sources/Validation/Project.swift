import AppRegistration
import Diagnostics
import Documents
import WorkflowModel

/// A file to be validated, under the name that people know it by.
package struct NamedFile: Sendable {
  package var name: String
  package var bytes: [UInt8]
  /// The folder in which it was searched for; nil where the file itself was named.
  package var root: String?
  /// Whether a `.gitignore` names it, so that it stays out of version control.
  package var isIgnored: Bool

  package init(name: String, bytes: [UInt8], root: String? = nil, isIgnored: Bool = false) {
    self.name = name
    self.bytes = bytes
    self.root = root
    self.isIgnored = isIgnored
  }
}

/// A file as the rules see it: read, recognized, decoded.
package struct ValidatedFile: Sendable {
  package var name: String
  package var kind: AppRegistrationKind
  /// Nil where nothing could be read, and for kinds that are no tree of keys and values.
  package var document: Document?
  /// The text, where there is one.
  package var source: SourceText?
  /// The folder in which it was searched for.
  package var root: String?
  /// Whether a `.gitignore` names it.
  package var isIgnored = false
  /// The settings that it holds, or that stand inside it: a workflow may hold several.
  package var loadedSettings: [LoadedSettings] = []
  package var workflow: Workflow?
  package var infoPlist: InfoPlist?
  package var entitlements: Entitlements?
  package var androidConfig: AndroidConfig?
  package var androidManifest: AndroidManifest?
  package var appManifests: [AppManifest] = []
  package var msalJS: MSALJSConfig?
  package var azureAdSections: [AzureAdSection] = []
  package var xcodeProject: XcodeProject?
  /// What reading and decoding had to say.
  package var diagnostics: [Diagnostic]
  /// What loading the settings inside it had to say: the findings of the loading rules.
  private(set) var loadingDiagnostics: [Diagnostic] = []

  package var node: Node? { document?.root }

  mutating func add(_ loaded: LoadedSettings) {
    loadedSettings.append(loaded)
    let told = loaded.allDiagnostics
    loadingDiagnostics += told
    diagnostics += told
  }
}

/// The files that are validated together, and those that they name.
package struct Project: Sendable {
  package internal(set) var files: [ValidatedFile] = []
  /// The apps that the files belong to.
  package internal(set) var apps: [App] = []
  /// Seconds since 1970; nil where it is not known, and nothing is said of what has expired.
  package var now: Int64?
  /// Values for build-setting references, as given on the command line.
  package internal(set) var definitions = Definitions.none

  private var indexByName: [String: Int] = [:]
  private var appByFile: [String: Int] = [:]
  /// Every registration of every app.
  private(set) var registrations = Registrations([])
  /// The only registration, where the project holds one, and one app's settings beside it.
  private(set) var onlyRegistration: (file: ValidatedFile, manifest: AppManifest)?

  package init(now: Int64? = nil) { self.now = now }

  package func file(named name: String) -> ValidatedFile? { indexByName[name].map { files[$0] } }

  /// The app that a file belongs to: at least the file by itself.
  package func app(of file: ValidatedFile) -> App {
    appByFile[file.name].map { apps[$0] } ?? App(folder: FilePath.folder(of: file.name), files: [file])
  }

  mutating func add(_ file: ValidatedFile) {
    indexByName[file.name] = files.count
    files.append(file)
  }

  mutating func sortIntoApps() {
    apps = AppGrouping.apps(of: files)
    registrations = Registrations(files)
    // The settings inside a workflow may be an experiment's.
    let settings = files.lazy.filter { $0.kind != .workflow }.reduce(0) { $0 + $1.loadedSettings.count }
    let manifests = apps.flatMap(\.manifests)
    onlyRegistration = settings == 1 && manifests.count == 1 ? manifests.first : nil
    for (index, app) in apps.enumerated() { for file in app.files { appByFile[file.name] = index } }
  }

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
    guard kind == .workflow, let node else { return [] }
    let clients = node["clients"].map { $0.entries.map(\.value) } ?? []
    return [node["settings"]].compactMap { $0 } + clients
  }
}
