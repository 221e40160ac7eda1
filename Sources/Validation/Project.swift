import AppRegistration
import Diagnostics
import Documents
import WorkflowModel

/// A file to validate, with the name that diagnostics show.
package struct NamedFile: Sendable {
  package var name: String
  package var bytes: [UInt8]
  /// The searched folder that contains the file; nil if the file itself was passed.
  package var root: String?
  /// Whether `.gitignore` excludes the file from version control.
  package var isIgnored: Bool

  package init(name: String, bytes: [UInt8], root: String? = nil, isIgnored: Bool = false) {
    self.name = name
    self.bytes = bytes
    self.root = root
    self.isIgnored = isIgnored
  }
}

/// A file with its detected kind and decoded content, as rules check it.
package struct ValidatedFile: Sendable {
  package var name: String
  package var kind: AppRegistrationKind
  /// The document tree; nil if the file cannot be read or is not a tree of keys and values.
  package var document: Document?
  /// The text; nil if the file cannot be read.
  package var source: SourceText?
  /// The searched folder that contains the file; nil if the file itself was passed.
  package var root: String?
  /// Whether `.gitignore` excludes the file from version control.
  package var isIgnored = false
  /// The settings in the file. A workflow may contain several.
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
  /// Diagnostics from reading and decoding the file.
  package var diagnostics: [Diagnostic]
  /// Diagnostics from loading the settings in the file, which loading rules report.
  private(set) var loadingDiagnostics: [Diagnostic] = []

  package var node: Node? { document?.root }

  mutating func add(_ loaded: LoadedSettings) {
    loadedSettings.append(loaded)
    let reported = loaded.allDiagnostics
    loadingDiagnostics += reported
    diagnostics += reported
  }
}

/// The files that are validated together, including files that they refer to.
package struct Project: Sendable {
  package internal(set) var files: [ValidatedFile] = []
  /// The apps that the files belong to.
  package internal(set) var apps: [App] = []
  /// The current time in seconds since 1970; if nil, rules do not check expiration dates.
  package var now: Int64?
  /// Values for build setting references from the command line.
  package internal(set) var definitions = Definitions.none

  private var indexByName: [String: Int] = [:]
  private var appByFile: [String: Int] = [:]
  /// All registrations of all apps.
  private(set) var registrations = Registrations([])
  /// The registration of a project with exactly one registration and one set of settings.
  private(set) var onlyRegistration: (file: ValidatedFile, manifest: AppManifest)?

  package init(now: Int64? = nil) { self.now = now }

  package func file(named name: String) -> ValidatedFile? { indexByName[name].map { files[$0] } }

  /// The app that a file belongs to; an app with only this file if the file is not part of the project.
  package func app(of file: ValidatedFile) -> App {
    appByFile[file.name].map { apps[$0] } ?? App(folder: FilePath.folder(of: file.name), files: [file])
  }

  mutating func add(_ file: ValidatedFile) {
    indexByName[file.name] = files.count
    files.append(file)
  }

  mutating func groupIntoApps() {
    apps = AppGrouping.apps(of: files)
    registrations = Registrations(files)
    // Settings in a workflow may be experimental, so they do not count.
    let settings = files.lazy.filter { $0.kind != .workflow }.reduce(0) { $0 + $1.loadedSettings.count }
    let manifests = apps.flatMap(\.manifests)
    onlyRegistration = settings == 1 && manifests.count == 1 ? manifests.first : nil
    for (index, app) in apps.enumerated() { for file in app.files { appByFile[file.name] = index } }
  }

  /// The settings of a settings file, or of each app of a workflow.
  package func settings(of file: ValidatedFile) -> [LoadedSettings] {
    let referenced = file.settingsNodes.flatMap { node -> [LoadedSettings] in
      guard let path = node.string else { return [] }
      return self.file(named: SettingsLoader.path(path, relativeTo: file.name))?.loadedSettings ?? []
    }
    return referenced + file.loadedSettings
  }
}

extension ValidatedFile {
  /// The nodes for the settings of a workflow's apps: paths, or inline settings.
  ///
  /// They come from the document, so rules can check the settings even if the steps cannot be decoded.
  var settingsNodes: [Node] {
    guard kind == .workflow, let node else { return [] }
    let clients = node["clients"].map { $0.entries.map(\.value) } ?? []
    return [node["settings"]].compactMap { $0 } + clients
  }
}
