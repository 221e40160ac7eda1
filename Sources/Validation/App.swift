import AppRegistration
import Documents
import IdentityPlatform

/// The files of one app: what they say is held against each other.
///
/// Which files belong together is told by folders (`AppGrouping`), which are no proof: a rule that compares two files first asks
/// whether there is only one candidate, or one with the same client id.
package struct App: Sendable {
  package let folder: String
  package let files: [ValidatedFile]
  /// Every registration that the app's manifests hold, with its file.
  package let manifests: [(file: ValidatedFile, manifest: AppManifest)]
  /// Every app's settings, with the file that they stand in, whatever its kind.
  package let settings: [(file: ValidatedFile, loaded: LoadedSettings)]
  package let infoPlists: [(file: ValidatedFile, plist: InfoPlist)]
  /// Every configuration of every target that the app's Xcode projects hold.
  package let xcodeConfigurations: [XcodeProject.Configuration]
  /// The client ids that the app's configurations name, in lower case, placeholders aside.
  let clientIDs: Set<String>
  /// The bundle ids that the app is known to have: as its Info.plists, its Xcode projects and its settings say.
  private(set) var appleBundleIDs = AppFacts([])
  /// The packages of the app for Android, as its manifests and its configurations say.
  private(set) var androidPackages = AppFacts([])
  private let registrations: Registrations
  private let filesByKind: [AppRegistrationKind: [ValidatedFile]]
  /// Values that rules compare with every file.
  private(set) var summary = AppSummary()
  let targets: AppTargets

  /// Gathers once what rules ask of every file: a rule that goes through all files of an app for each of them takes quadratic time.
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
    appleBundleIDs = AppFacts(findAppleBundleIDs())
    androidPackages = AppFacts(findAndroidPackages())
    summary = AppSummary(of: self)
  }

  /// Every file of a kind.
  package func files(_ kind: AppRegistrationKind) -> [ValidatedFile] { filesByKind[kind] ?? [] }

  /// The registration of a client id: the one manifest that names it, compared without regard to case.
  package func manifest(of clientID: String) -> (file: ValidatedFile, manifest: AppManifest)? {
    registrations.only(of: clientID)
  }
}

/// Registrations by their client id.
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

  /// The one that has the client id, compared without regard to case; nil where there is none, or several.
  func only(of clientID: String) -> (file: ValidatedFile, manifest: AppManifest)? {
    guard let named = byClientID[clientID.lowercased()], named.count == 1 else { return nil }
    return named[0]
  }
}

extension ValidatedFile {
  /// Whether the file is there to be copied and filled in: `AuthSettings.example.plist`, `msal_config.json.template`.
  package var isExample: Bool {
    let name = FilePath.name(of: name).lowercased()
    return name.split(separator: ".").dropFirst().contains {
      ["example", "sample", "template", "dist", "default"].contains($0)
    }
  }
}
