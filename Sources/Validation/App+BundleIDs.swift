import AppRegistration
import Diagnostics
import Documents

/// A bundle id that an Info.plist's app has, in one configuration at least.
package struct KnownBundleID: Sendable {
  package var value: String
  /// Where it is written; nil where it was given from outside.
  package var place: FileSpan?
  /// The configuration that gives it: `Release of the target Runner`; nil where the Info.plist itself does.
  package var configuration: String?
}

extension App {
  /// The bundle ids that an Info.plist's app has: more than one where configurations differ.
  ///
  /// Empty where any of them is not known, so that nothing is said on half the evidence. What is written in the file counts
  /// first, with the references filled in whose values were given; then what the Xcode projects say that build with the file.
  package func bundleIDs(of file: ValidatedFile) -> [KnownBundleID] {
    guard let plist = file.infoPlist else { return [] }
    let written = plist.bundleID?.value ?? ""
    if !written.isEmpty, !Definitions.holdsReference(written) {
      return [KnownBundleID(value: written, place: plist.bundleID?.place)]
    }
    if written.isEmpty, let defined = plist.definedBundleID { return [KnownBundleID(value: defined)] }
    var known: [KnownBundleID] = []
    for configuration in configurations(buildingWith: file) {
      guard let bundleID = bundleID(written, in: configuration) else { return [] }
      if !known.contains(where: { $0.value == bundleID.value }) { known.append(bundleID) }
    }
    return known
  }

  /// The configurations of the app's Xcode projects that name a file as their Info.plist or their entitlements.
  package func configurations(buildingWith file: ValidatedFile) -> [XcodeProject.Configuration] {
    targets.configurations(buildingWith: file)
  }

  private func bundleID(_ written: String, in configuration: XcodeProject.Configuration) -> KnownBundleID? {
    let words =
      configuration.name.isEmpty
      ? "the target \(configuration.target)" : "\(configuration.name) of the target \(configuration.target)"
    // Xcode writes the identifier itself where the file has none.
    guard !written.isEmpty, written != "$(PRODUCT_BUNDLE_IDENTIFIER)", written != "${PRODUCT_BUNDLE_IDENTIFIER}" else {
      return configuration.bundleID.map { KnownBundleID(value: $0.value, place: $0.place, configuration: words) }
    }
    let filled = configuration.settings.fill(written)
    guard !filled.isEmpty, !Definitions.holdsReference(filled) else { return nil }
    return KnownBundleID(value: filled, place: configuration.bundleID?.place, configuration: words)
  }
}
