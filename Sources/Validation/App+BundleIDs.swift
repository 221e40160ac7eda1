import AppRegistration
import Diagnostics
import Documents

/// A bundle ID of the app in at least one build configuration.
package struct KnownBundleID: Sendable {
  package var value: String
  /// The location of the bundle ID, or nil if it was passed on the command line.
  package var place: FileSpan?
  /// The build configuration that sets the bundle ID, such as ``Release of target `Runner` ``. Nil if the Info.plist
  /// itself contains the bundle ID.
  package var configuration: String?
}

extension App {
  /// Returns the bundle IDs of the app to which an Info.plist belongs. The result contains several bundle IDs if the
  /// build configurations differ. The result is empty if any bundle ID is unknown.
  ///
  /// A bundle ID in the file takes priority. References in the bundle ID are replaced with known values. If the file
  /// does not contain a bundle ID, the Xcode projects that use the file determine the bundle ID.
  package func bundleIDs(of file: ValidatedFile) -> [KnownBundleID] {
    guard let plist = file.infoPlist else { return [] }
    let configured = plist.bundleID?.value ?? ""
    if !configured.isEmpty, !Definitions.containsReference(configured) {
      return [KnownBundleID(value: configured, place: plist.bundleID?.place)]
    }
    if configured.isEmpty, let defined = plist.definedBundleID { return [KnownBundleID(value: defined)] }
    var known: [KnownBundleID] = []
    for configuration in configurations(buildingWith: file) {
      guard let bundleID = bundleID(configured, in: configuration) else { return [] }
      if !known.contains(where: { $0.value == bundleID.value }) { known.append(bundleID) }
    }
    return known
  }

  /// Returns the build configurations that use a file as their Info.plist or entitlements file.
  package func configurations(buildingWith file: ValidatedFile) -> [XcodeProject.Configuration] {
    targets.configurations(buildingWith: file)
  }

  private func bundleID(_ configured: String, in configuration: XcodeProject.Configuration) -> KnownBundleID? {
    let description =
      configuration.name.isEmpty
      ? "target `\(configuration.target)`" : "\(configuration.name) of target `\(configuration.target)`"
    // Xcode adds the bundle ID if the file does not contain one.
    guard !configured.isEmpty, configured != "$(PRODUCT_BUNDLE_IDENTIFIER)",
      configured != "${PRODUCT_BUNDLE_IDENTIFIER}"
    else {
      return configuration.bundleID.map { KnownBundleID(value: $0.value, place: $0.place, configuration: description) }
    }
    let expanded = configuration.settings.fill(configured)
    guard !expanded.isEmpty, !Definitions.containsReference(expanded) else { return nil }
    return KnownBundleID(value: expanded, place: configuration.bundleID?.place, configuration: description)
  }
}
