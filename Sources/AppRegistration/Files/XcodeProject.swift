import Diagnostics
import Documents
import IdentityPlatform

/// An Xcode project: the bundle IDs of its targets, and the files that belong to each target.
package struct XcodeProject: Sendable {
  /// A target in one configuration.
  ///
  /// Settings with a condition (`PRODUCT_BUNDLE_IDENTIFIER[sdk=macosx*]`) add another configuration with the same
  /// names.
  package struct Configuration: Sendable {
    package var target: String
    /// `com.apple.product-type.application`, or nil if the target does not specify it.
    package var productType: String?
    /// The configuration's name, such as `Debug` or `Release`.
    package var name: String
    /// The condition of the settings, such as `sdk=macosx*`.
    package var condition: String?
    /// Paths in the same format as the names of the validated files.
    package var infoPlist: String?
    package var entitlements: String?
    /// `PRODUCT_BUNDLE_IDENTIFIER`, or nil if it is unknown.
    package var bundleID: Positioned<String>?
    /// The SDK, such as `macosx`, `iphoneos`, or `auto`.
    package var sdk: String?
    /// The target's settings, which override the project's settings. Both include the `.xcconfig` file that they are
    /// based on.
    package var settings: XcodeBuildSettings

    /// Whether the target is an app rather than a framework, test, or extension.
    package var isApp: Bool { productType.map { $0.hasPrefix("com.apple.product-type.application") } ?? true }

    /// The target's platforms, or nil if the project does not specify them. Platforms other than macOS count as iOS.
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

  /// Whether a document is a `project.pbxproj` file.
  package static func recognizes(_ root: Node) -> Bool {
    root["archiveVersion"] != nil && root["objects"]?.kind == .mapping && root["rootObject"] != nil
  }

  /// Reads a project and the `.xcconfig` files that it is based on.
  package static func read(_ root: Node, load: @escaping DocumentLoader) -> XcodeProject {
    var reader = XcodeProjectReader(root, load: load)
    var project = XcodeProject()
    project.configurations = reader.configurations()
    return project
  }
}
