import Diagnostics
import Documents
import IdentityPlatform

/// What an Xcode project gives the files that it is made of: bundle ids, and which files belong together.
package struct XcodeProject: Sendable {
  /// One target in one configuration.
  ///
  /// Settings with a condition (`PRODUCT_BUNDLE_IDENTIFIER[sdk=macosx*]`) make a further one, with the same names.
  package struct Configuration: Sendable {
    package var target: String
    /// `com.apple.product-type.application`; nil where the target does not say.
    package var productType: String?
    /// `Debug`, `Release`.
    package var name: String
    /// `sdk=macosx*`, where this is what holds under a condition.
    package var condition: String?
    /// Paths as the validated files are named.
    package var infoPlist: String?
    package var entitlements: String?
    /// `PRODUCT_BUNDLE_IDENTIFIER`; nil where it is not known.
    package var bundleID: Positioned<String>?
    /// `macosx`, `iphoneos`, `auto`.
    package var sdk: String?
    /// The target's settings, the project's own beneath them, and those of the `.xcconfig` files that they are based on.
    package var settings: XcodeBuildSettings

    /// Whether it makes something that people start, and no framework, test or extension of such.
    package var isApp: Bool { productType.map { $0.hasPrefix("com.apple.product-type.application") } ?? true }

    /// The platforms that it is built for, of which those beside macOS follow iOS; nil where the project does not say.
    package var platforms: Set<ApplePlatform>? {
      let named = settings.value(of: "SUPPORTED_PLATFORMS")?.value ?? sdk ?? ""
      let words = named.lowercased().split { $0 == " " || $0 == "," }
      var platforms: Set<ApplePlatform> = []
      for word in words {
        if word.hasPrefix("macosx") { platforms.insert(.macOS) }
        if word.hasPrefix("iphone") || word.hasPrefix("xr") || word.hasPrefix("appletv") || word.hasPrefix("watch") {
          platforms.insert(.iOS)
        }
      }
      if settings.value(of: "SUPPORTS_MACCATALYST")?.value == "YES" { platforms.insert(.iOS) }
      return platforms.isEmpty ? nil : platforms
    }
  }

  package var configurations: [Configuration] = []

  package init() {}

  /// Whether a document is a `project.pbxproj`.
  package static func isOne(_ root: Node) -> Bool {
    root["archiveVersion"] != nil && root["objects"]?.kind == .mapping && root["rootObject"] != nil
  }

  /// Reads a project; `.xcconfig` files that it is based on are asked for.
  package static func read(_ root: Node, load: @escaping DocumentLoader) -> XcodeProject {
    var reader = XcodeProjectReader(root, load: load)
    var project = XcodeProject()
    project.configurations = reader.configurations()
    return project
  }
}
