import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

extension App {
  /// The registration that a client id belongs to: the one manifest that names it, or the only manifest there is, where that names
  /// none and the app has no other client id.
  func registration(of clientID: String) -> (file: ValidatedFile, manifest: AppManifest)? {
    if let named = manifest(of: clientID) { return named }
    guard manifests.count == 1, let only = manifests.first, clientIDs.count <= 1 else { return nil }
    if let appID = only.manifest.appID?.value, GUIDText.isWellFormed(appID) { return nil }
    return only
  }

  func findAppleBundleIDs() -> [SharedAppValue] {
    var facts: [SharedAppValue] = []
    var known: Set<String> = []
    func add(_ text: Positioned<String>?) {
      guard let text, !text.value.isEmpty, !known.contains(text.value), !AppManifest.isToBeFilledIn(text.value) else {
        return
      }
      known.insert(text.value)
      facts.append(SharedAppValue(value: text.value, place: text.place))
    }
    // Half of the evidence is none: another Info.plist may be the one that is meant.
    let infoPlists = infoPlists.filter { !$0.file.isOfAPart }
    let isWhole = infoPlists.allSatisfy { _, plist in
      plist.bundleID.map { !$0.value.isEmpty && !AppManifest.isToBeFilledIn($0.value) } ?? false
    }
    if isWhole || xcodeConfigurations.contains(where: { $0.bundleID != nil }) {
      for (_, plist) in infoPlists { add(plist.bundleID) }
    }
    for configuration in xcodeConfigurations { add(configuration.bundleID) }
    for (file, loaded) in settings where file.kind == .authSettings { add(loaded.settings.bundleID) }
    return facts
  }

  func findAndroidPackages() -> [SharedAppValue] {
    let manifests = files.compactMap(\.androidManifest?.package)
    let configured = settings.filter { $0.file.kind == .androidConfig }.compactMap(\.loaded.settings.bundleID)
    return (manifests + configured).map { SharedAppValue(value: $0.value, place: $0.place) }
  }
}

extension Project {
  /// The registration that settings belong to: by their client id anywhere, else by standing in the same app.
  func registration(of loaded: LoadedSettings, in file: ValidatedFile) -> (file: ValidatedFile, manifest: AppManifest)?
  {
    guard let clientID = loaded.clientID?.value else { return nil }
    if let own = app(of: file).registration(of: clientID) { return own }
    return registrations.only(of: clientID)
  }
}

extension LoadedSettings {
  /// The client id that is really one: a GUID that nobody made up.
  var clientID: Positioned<String>? {
    guard let appID = settings.appID, GUIDText.isWellFormed(appID.value), !TemplatePlaceholder.isDummyGUID(appID.value)
    else {
      return nil
    }
    return appID
  }
}

extension AppManifest {
  /// The app id that is really one.
  var clientID: Positioned<String>? {
    guard let appID, GUIDText.isWellFormed(appID.value), !TemplatePlaceholder.isDummyGUID(appID.value) else {
      return nil
    }
    return appID
  }

  /// Whether it is an app that runs on a device or in a browser, and not an API alone.
  var isClient: Bool {
    isPublicClient?.value == true || redirects.contains { $0.kind == .installedClient || $0.kind == .spa }
  }
}

extension ValidatedFile {
  /// Whether an Info.plist is a framework's, a test's or an extension's, with an id that no redirect URI is made of.
  var isOfAPart: Bool {
    if infoPlist?.isAppExtension == true { return true }
    guard let type = node?["CFBundlePackageType"]?.string else { return false }
    return ["FMWK", "BNDL", "XPC!"].contains(type)
  }
}
