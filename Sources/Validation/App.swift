import AppRegistration
import Documents
import IdentityPlatform

/// The files that belong to one app. Rules compare these files with each other.
///
/// `AppGrouping` assigns files to apps by folder. Because this is a heuristic, a rule compares a file with another file
/// only if there is a single candidate, or a single candidate with the same client ID.
package struct App: Sendable {
  package let folder: String
  package let files: [ValidatedFile]
  /// All registrations in the app's manifests, each with its file.
  package let manifests: [(file: ValidatedFile, manifest: AppManifest)]
  /// All settings, each with its file, which can be of any kind.
  package let settings: [(file: ValidatedFile, loaded: LoadedSettings)]
  package let infoPlists: [(file: ValidatedFile, plist: InfoPlist)]
  /// All build configurations for all targets in the app's Xcode projects.
  package let xcodeConfigurations: [XcodeProject.Configuration]
  /// The client IDs in the app's settings, in lowercase. Placeholders are omitted.
  let clientIDs: Set<String>
  /// The bundle IDs in the app's Info.plists, Xcode projects, and settings.
  private(set) var appleBundleIDs = SharedAppValues([])
  /// The package names in the app's Android manifests and configurations.
  private(set) var androidPackages = SharedAppValues([])
  private let registrations: Registrations
  private let filesByKind: [AppRegistrationKind: [ValidatedFile]]
  /// Precomputed values that rules compare with every file.
  private(set) var summary = AppSummary()
  let targets: AppTargets

  /// Creates an app and computes the values that rules need for every file. Without these values, each rule would
  /// search all files for each file, which would take quadratic time.
  package init(folder: String, files: [ValidatedFile]) {
    self.folder = folder
    self.files = files
    filesByKind = Dictionary(grouping: files, by: \.kind)
    manifests = files.flatMap { file in file.appManifests.map { (file, $0) } }
    settings = files.flatMap { file in file.loadedSettings.map { (file, $0) } }
    infoPlists = files.compactMap { file in file.infoPlist.map { (file, $0) } }
    xcodeConfigurations = files.flatMap { $0.xcodeProject?.configurations ?? [] }
    clientIDs = Set(settings.compactMap { $0.loaded.clientID?.value.lowercased() })
    registrations = Registrations(files)
    targets = AppTargets(files: files, configurations: xcodeConfigurations)
    appleBundleIDs = SharedAppValues(findAppleBundleIDs())
    androidPackages = SharedAppValues(findAndroidPackages())
    summary = AppSummary(of: self)
  }

  /// Returns all files of the given kind.
  package func files(_ kind: AppRegistrationKind) -> [ValidatedFile] { filesByKind[kind] ?? [] }

  /// Returns the registration with the given client ID, ignoring case. Returns nil if there is not exactly one such
  /// registration.
  package func manifest(of clientID: String) -> (file: ValidatedFile, manifest: AppManifest)? {
    registrations.only(of: clientID)
  }
}

/// Registrations by client ID.
struct Registrations: Sendable {
  private var byClientID: [String: [(file: ValidatedFile, manifest: AppManifest)]] = [:]

  init(_ files: [ValidatedFile]) {
    for file in files {
      for manifest in file.appManifests {
        guard let appID = manifest.appID?.value.lowercased() else { continue }
        byClientID[appID, default: []].append((file, manifest))
      }
    }
  }

  /// Returns the registration with the given client ID, ignoring case. Returns nil if there is not exactly one such
  /// registration.
  func only(of clientID: String) -> (file: ValidatedFile, manifest: AppManifest)? {
    guard let matches = byClientID[clientID.lowercased()], matches.count == 1 else { return nil }
    return matches[0]
  }
}

extension ValidatedFile {
  /// Whether the file is a template that users copy and complete, such as `AuthSettings.example.plist` or
  /// `msal_config.json.template`.
  package var isExample: Bool {
    let name = FilePath.name(of: name).lowercased()
    return name.split(separator: ".").dropFirst().contains {
      ["example", "sample", "template", "dist", "default"].contains($0)
    }
  }
}
