import AppRegistration
import DeclaredFields
import Documents
import IdentityPlatform

/// The files of one app: what they say is held against each other.
///
/// Which files belong together is told by folders (`AppGrouping`), which are no proof: a rule that compares two files first asks
/// whether there is only one candidate, or one with the same client id.
package struct App: Sendable {
  package var folder: String
  package var files: [ValidatedFile]

  /// Every file of a kind.
  package func files(_ kind: AppRegistrationKind) -> [ValidatedFile] { files.filter { $0.kind == kind } }

  /// Every registration that the app's manifests hold, with its file.
  package var manifests: [(file: ValidatedFile, manifest: AppManifest)] {
    files.flatMap { file in file.appManifests.map { (file, $0) } }
  }

  /// Every app's settings, with the file that they stand in, whatever its kind.
  package var settings: [(file: ValidatedFile, loaded: LoadedSettings)] {
    files.flatMap { file in file.loadedSettings.map { (file, $0) } }
  }

  package var infoPlists: [(file: ValidatedFile, plist: InfoPlist)] {
    files.compactMap { file in file.infoPlist.map { (file, $0) } }
  }

  /// Every configuration of every target that the app's Xcode projects hold.
  package var xcodeConfigurations: [XcodeProject.Configuration] {
    files.flatMap { $0.xcodeProject?.configurations ?? [] }
  }

  /// The registration of a client id: the one manifest that names it, compared without regard to case.
  package func manifest(of clientID: String) -> (file: ValidatedFile, manifest: AppManifest)? {
    let named = manifests.filter { $0.manifest.appID?.value.lowercased() == clientID.lowercased() }
    return named.count == 1 ? named[0] : nil
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
