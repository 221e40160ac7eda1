import AppRegistration
import Documents
import IdentityPlatform

/// The files of one app, which rules compare with each other.
///
/// `AppGrouping` assigns files to apps by their folders. This is a heuristic: before a rule compares two files, it
/// checks that there is only one candidate, or one with the same client ID.
package struct App: Sendable {
  package let folder: String
  package let files: [ValidatedFile]
  /// All registrations in the app's manifests, each with its file.
  package let manifests: [(file: ValidatedFile, manifest: AppManifest)]
  /// All settings, each with its file of any kind.
  package let settings: [(file: ValidatedFile, loaded: LoadedSettings)]
  package let infoPlists: [(file: ValidatedFile, plist: InfoPlist)]
  /// All build configurations of all targets in the app's Xcode projects.
  package let xcodeConfigurations: [XcodeProject.Configuration]
  /// Client IDs in the app's settings, in lowercase and without placeholders.
  let clientIDs: Set<String>
  /// Bundle IDs in the app's Info.plists, Xcode projects, and settings.
  private(set) var appleBundleIDs = SharedAppValues([])
  /// Packages in the app's Android manifests and configurations.
  private(set) var androidPackages = SharedAppValues([])
  private let registrations: Registrations
  private let filesByKind: [AppRegistrationKind: [ValidatedFile]]
  /// Values that rules compare with every file.
  private(set) var summary = AppSummary()
  let targets: AppTargets

  /// Creates an app and computes the values that rules need for every file. A rule that searched all files of an app
  /// for each file would take quadratic time.
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

  /// All files of a kind.
  package func files(_ kind: AppRegistrationKind) -> [ValidatedFile] { filesByKind[kind] ?? [] }

  /// The registration with a client ID, compared without regard to case; nil if there is none or several.
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

  /// The only registration with a client ID, compared without regard to case; nil if there is none or several.
  func only(of clientID: String) -> (file: ValidatedFile, manifest: AppManifest)? {
    guard let matches = byClientID[clientID.lowercased()], matches.count == 1 else { return nil }
    return matches[0]
  }
}

extension ValidatedFile {
  /// Whether the file is a template to copy and complete: `AuthSettings.example.plist`, `msal_config.json.template`.
  package var isExample: Bool {
    let name = FilePath.name(of: name).lowercased()
    return name.split(separator: ".").dropFirst().contains {
      ["example", "sample", "template", "dist", "default"].contains($0)
    }
  }
}
