import Documents
import IdentityPlatform

/// What other files of an app's project contain that its settings can leave out, each with the file that contains it.
package struct ProjectFacts: Sendable {
  package var bundleID: Positioned<String>?
  package var platform: Positioned<ApplePlatform>?
  /// The name of the Info.plist in the folder of the settings.
  package var infoPlist: String?

  package init() {}
}
