import Documents
import IdentityPlatform

/// Values from other files in the project, used for keys that are missing in the settings. Each value has a location in
/// its file.
package struct ProjectFacts: Sendable {
  package var bundleID: Positioned<String>?
  package var platform: Positioned<ApplePlatform>?
  /// The name of the Info.plist in the settings folder.
  package var infoPlist: String?

  package init() {}
}
