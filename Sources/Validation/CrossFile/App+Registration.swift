import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

extension App {
  /// Returns the registration for a client ID, which is the only manifest with this client ID. If no manifest has this
  /// client ID, returns the app's only manifest, provided that it has no client ID and that the app uses no other
  /// client ID.
  func registration(of clientID: String) -> (file: ValidatedFile, manifest: AppManifest)? {
    if let match = manifest(of: clientID) { return match }
    guard manifests.count == 1, let only = manifests.first, clientIDs.count <= 1 else { return nil }
    if let appID = only.manifest.appID?.value, GUIDText.isWellFormed(appID) { return nil }
    return only
  }

  func findAppleBundleIDs() -> [SharedAppValue] {
    var values: [SharedAppValue] = []
    var known: Set<String> = []
    func add(_ text: Positioned<String>?) {
      guard let text, !text.value.isEmpty, !known.contains(text.value), !AppManifest.isToBeFilledIn(text.value) else {
        return
      }
      known.insert(text.value)
      values.append(SharedAppValue(value: text.value, place: text.place))
    }
    // If any bundle ID is unknown, use the Info.plists only together with an Xcode project.
    let infoPlists = infoPlists.filter { !$0.file.isNestedBundle }
    let isComplete = infoPlists.allSatisfy { _, plist in
      plist.bundleID.map { !$0.value.isEmpty && !AppManifest.isToBeFilledIn($0.value) } ?? false
    }
    if isComplete || xcodeConfigurations.contains(where: { $0.bundleID != nil }) {
      for (_, plist) in infoPlists { add(plist.bundleID) }
    }
    for configuration in xcodeConfigurations { add(configuration.bundleID) }
    for (file, loaded) in settings where file.kind == .authSettings { add(loaded.settings.bundleID) }
    return values
  }

  func findAndroidPackages() -> [SharedAppValue] {
    let manifests = files.compactMap(\.androidManifest?.package)
    let configured = settings.filter { $0.file.kind == .androidConfig }.compactMap(\.loaded.settings.bundleID)
    return (manifests + configured).map { SharedAppValue(value: $0.value, place: $0.place) }
  }
}

extension Project {
  /// Returns the registration for the given settings. This is the registration in the same app, or the only
  /// registration in the project with the same client ID.
  func registration(of loaded: LoadedSettings, in file: ValidatedFile) -> (file: ValidatedFile, manifest: AppManifest)?
  {
    guard let clientID = loaded.clientID?.value else { return nil }
    if let own = app(of: file).registration(of: clientID) { return own }
    return registrations.only(of: clientID)
  }
}

extension LoadedSettings {
  /// The client ID if it is a GUID and not a sample value.
  var clientID: Positioned<String>? {
    guard let appID = settings.appID, GUIDText.isWellFormed(appID.value), !TemplatePlaceholder.isDummyGUID(appID.value)
    else {
      return nil
    }
    return appID
  }
}

extension AppManifest {
  /// The app ID if it is a GUID and not a sample value.
  var clientID: Positioned<String>? {
    guard let appID, GUIDText.isWellFormed(appID.value), !TemplatePlaceholder.isDummyGUID(appID.value) else {
      return nil
    }
    return appID
  }

  /// Whether the registration is for an app on a device or in a browser, rather than only for an API.
  var isClient: Bool {
    isPublicClient?.value == true || redirects.contains { $0.kind == .installedClient || $0.kind == .spa }
  }
}

extension ValidatedFile {
  /// Whether an Info.plist belongs to a framework, test, or extension. Redirect URIs do not use the bundle IDs of these
  /// targets.
  var isNestedBundle: Bool {
    if infoPlist?.isAppExtension == true { return true }
    guard let type = node?["CFBundlePackageType"]?.string else { return false }
    return ["FMWK", "BNDL", "XPC!"].contains(type)
  }
}
