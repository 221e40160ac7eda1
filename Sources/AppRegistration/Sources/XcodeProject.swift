import DeclaredFields
import Diagnostics
import Documents

/// What an Xcode project gives the files that it is made of: bundle ids, and which files belong together.
package struct XcodeProject: Sendable {
  /// The settings of one target in one configuration, the project's own and those of `.xcconfig` files filled in.
  package struct Configuration: Sendable {
    package var target: String
    /// `Debug`, `Release`.
    package var name: String
    /// Build settings by name, references to others resolved where they can be.
    package var settings: [String: Located<String>]
    /// Paths as the validated files are named.
    package var infoPlist: String?
    package var entitlements: String?
    /// `PRODUCT_BUNDLE_IDENTIFIER`; nil where it is not known.
    package var bundleID: Located<String>?
    /// `macosx`, `iphoneos`, `auto`.
    package var sdk: String?

    package init(target: String, name: String, settings: [String: Located<String>] = [:]) {
      self.target = target
      self.name = name
      self.settings = settings
    }
  }

  package var configurations: [Configuration] = []

  package init() {}

  /// Whether a document is a `project.pbxproj`.
  package static func isOne(_ root: Node) -> Bool {
    root["archiveVersion"] != nil && root["objects"]?.kind == .mapping && root["rootObject"] != nil
  }

  /// Reads a project; `.xcconfig` files that it is based on are asked for.
  package static func read(_ root: Node, load: DocumentLoad) -> XcodeProject { XcodeProject() }
}
