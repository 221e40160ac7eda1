import AppRegistration
import Diagnostics
import Documents
import WorkflowModel

/// A file to validate, with the name shown in diagnostics.
package struct NamedFile: Sendable {
  package var name: String
  package var bytes: [UInt8]
  /// The searched folder that contains the file, or nil if the user passed the file itself.
  package var root: String?
  /// Whether `.gitignore` excludes the file from version control.
  package var isIgnored: Bool
  /// Whether the file is open in an editor. Its syntax errors are reported even if its kind is unknown.
  package var isOpen = false

  package init(name: String, bytes: [UInt8], root: String? = nil, isIgnored: Bool = false) {
    self.name = name
    self.bytes = bytes
    self.root = root
    self.isIgnored = isIgnored
  }
}

/// A file with its detected kind and its decoded content. Rules check this value.
package struct ValidatedFile: Sendable {
  package var name: String
  package var kind: AppRegistrationKind
  /// The document tree, or nil if the file cannot be read or does not consist of keys and values.
  package var document: Document?
  /// The text, or nil if the file cannot be read.
  package var source: SourceText?
  /// The searched folder that contains the file, or nil if the user passed the file itself.
  package var root: String?
  /// Whether `.gitignore` excludes the file from version control.
  package var isIgnored = false
  /// The settings in the file. A workflow may contain settings for several apps.
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
  /// The scope lists in the file's settings and workflow steps. Several rules check them.
  private(set) var scopeLists: [ScopeList] = []
  /// Diagnostics from reading and decoding the file.
  package var diagnostics: [Diagnostic]
  /// Diagnostics from loading the settings in the file. The loading rules report them.
  private(set) var loadingDiagnostics: [Diagnostic] = []

  package var node: Node? { document?.root }

  /// Sets `scopeLists` after the file is decoded.
  mutating func findScopes() { scopeLists = findScopeLists() }

  mutating func add(_ loaded: LoadedSettings) {
    loadedSettings.append(loaded)
    let reported = loaded.allDiagnostics
    loadingDiagnostics += reported
    diagnostics += reported
  }
}

/// Files that are validated together, including files to which they refer.
package struct Project: Sendable {
  package internal(set) var files: [ValidatedFile] = []
  /// The apps to which the files belong.
  package internal(set) var apps: [App] = []
  /// The current time in seconds since 1970. If nil, rules do not check expiration dates.
  package var now: Int64?
  /// The values for build setting references that were passed on the command line.
  package internal(set) var definitions = Definitions.none

  private var indexByName: [String: Int] = [:]
  private var appByFile: [String: Int] = [:]
  /// The registrations of all apps.
  private(set) var registrations = Registrations([])
  /// The registration, if the project contains exactly one registration and exactly one set of settings.
  private(set) var onlyRegistration: (file: ValidatedFile, manifest: AppManifest)?

  package init(now: Int64? = nil) { self.now = now }

  package func file(named name: String) -> ValidatedFile? { indexByName[name].map { files[$0] } }

  /// Returns the app that a file belongs to. If the file is not part of the project, returns an app that contains only
  /// this file.
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
    // Settings in a workflow can be experimental, so they are not counted.
    let settings = files.lazy.filter { $0.kind != .workflow }.reduce(0) { $0 + $1.loadedSettings.count }
    let manifests = apps.flatMap(\.manifests)
    onlyRegistration = settings == 1 && manifests.count == 1 ? manifests.first : nil
    for (index, app) in apps.enumerated() { for file in app.files { appByFile[file.name] = index } }
  }

  /// Returns the settings in a settings file, or the settings for each app in a workflow.
  package func settings(of file: ValidatedFile) -> [LoadedSettings] {
    let referenced = file.settingsNodes.flatMap { node -> [LoadedSettings] in
      guard let path = node.string else { return [] }
      return self.file(named: SettingsLoader.path(path, relativeTo: file.name))?.loadedSettings ?? []
    }
    return referenced + file.loadedSettings
  }
}

extension ValidatedFile {
  /// The nodes that contain the settings for a workflow's apps. Each node is a path or inline settings.
  ///
  /// The nodes are from the document, so that rules can check the settings even if the steps cannot be decoded.
  var settingsNodes: [Node] {
    guard kind == .workflow, let node else { return [] }
    let clients = node["clients"].map { $0.entries.map(\.value) } ?? []
    return [node["settings"]].compactMap { $0 } + clients
  }
}
