import AppRegistration
import Documents
import IdentityPlatform
import Validation

/// What an app's own files say about its registration, each with the file that says it.
struct DetectedRegistration {
  struct Fact<Value: Sendable>: Sendable {
    var value: Value
    /// The file's path.
    var origin: String

    func map<Other: Sendable>(_ transform: (Value) -> Other) -> Fact<Other> {
      Fact<Other>(value: transform(value), origin: origin)
    }
  }

  var clientID: Fact<String>?
  /// A tenant id or domain, or common, organizations, consumers.
  var tenant: Fact<String>?
  /// An authority that is more than a tenant of the public cloud: B2C, CIAM, a national cloud.
  var authority: Fact<String>?
  /// The same, where it could be understood.
  var parsedAuthority: Authority?
  var platform: Fact<ApplePlatform>?
  var bundleID: Fact<String>?
  var scopes: Fact<[String]>?
  /// The project's own settings file: the one nearest to the folder, without those of single environments.
  var settingsFile: String?

  /// Reads the files of a project; what is a placeholder or is filled in by a build says nothing.
  init(_ project: Project) {
    let settings = project.files.filter { $0.kind == .authSettings && SettingsOverlay.base(of: $0.name) == nil }
    settingsFile = settings.map(\.name).min {
      ($0.split(separator: "/").count, $0) < ($1.split(separator: "/").count, $1)
    }
    // The surest first: what is taken already stays.
    for file in project.files where file.kind == .authSettings || file.kind == .androidConfig { takeSettings(of: file) }
    for file in project.files { file.appManifests.forEach { take($0, file.name) } }
    for file in project.files {
      for configuration in file.xcodeProject?.configurations ?? [] where configuration.isApp {
        take(\.bundleID, configuration.bundleID?.value, file.name)
        if let platforms = configuration.platforms, platforms.count == 1 {
          take(\.platform, platforms.first, file.name)
        }
      }
    }
    for file in project.files { if let plist = file.infoPlist { take(plist, file.name) } }
    for file in project.files where file.kind == .entitlements && file.node?["com.apple.security.app-sandbox"] != nil {
      take(\.platform, .macOS, file.name)
    }
  }

  private mutating func takeSettings(of file: ValidatedFile) {
    for loaded in file.loadedSettings {
      let settings = loaded.settings
      takeClientID(settings.appID?.value, file.name)
      takeAuthority(loaded, file.name)
      if file.kind == .authSettings {
        take(\.platform, settings.platform?.value, file.name)
        if let words = settings.scopes?.value.map(\.value), !words.isEmpty { take(\.scopes, words, file.name) }
        take(\.bundleID, settings.bundleID?.value ?? Self.bundleID(inRedirect: settings.redirectURI?.value), file.name)
      }
    }
  }

  private mutating func takeAuthority(_ loaded: LoadedSettings, _ origin: String) {
    let settings = loaded.settings
    guard settings.authority != nil || settings.audience != nil || settings.tenantID != nil || settings.cloud != nil
    else { return }
    guard let authority = loaded.resolved?.authority else {
      if let segment = settings.audience?.value.tenantSegment { take(\.tenant, segment, origin) }
      // It cannot be used here, and is not to be passed over in silence either.
      if let written = settings.authority?.value, URLParts(written)?.host != nil { take(\.authority, written, origin) }
      return
    }
    if authority.kind == .aad, authority.cloud == .public {
      take(\.tenant, authority.tenant?.segment, origin)
    } else {
      take(\.authority, authority.url, origin)
      if self.authority?.value == authority.url { parsedAuthority = parsedAuthority ?? authority }
    }
  }

  private mutating func take(_ manifest: AppManifest, _ origin: String) {
    takeClientID(manifest.appID?.value, origin)
    if let audience = manifest.audience {
      take(\.tenant, audience.tenantSegment ?? manifest.node["publisherDomain"]?.string, origin)
    }
    for redirect in manifest.redirects { take(\.bundleID, Self.bundleID(inRedirect: redirect.uri.value), origin) }
    let graph = manifest.requiredResources?.value.first { $0.isGraph }
    let names = (graph?.permissions ?? []).filter { !$0.isRole }.compactMap { permission in
      (GraphPermission.withID(permission.id.value)?.permission ?? GraphPermission.named(permission.id.value))?.name
    }.filter { !WellKnown.openIDScopes.contains($0.lowercased()) }
    if !names.isEmpty { take(\.scopes, names, origin) }
  }

  private mutating func take(_ plist: InfoPlist, _ origin: String) {
    guard !plist.isAppExtension else { return }
    take(\.bundleID, plist.bundleID?.value, origin)
    for scheme in plist.urlSchemes.map(\.value) {
      if scheme.hasPrefix("msauth.") {
        take(\.bundleID, String(scheme.dropFirst("msauth.".count)), origin)
      } else if scheme.hasPrefix("msal") {
        takeClientID(String(scheme.dropFirst("msal".count)), origin)
      }
    }
    if plist.querySchemes != nil { take(\.platform, .iOS, origin) }
  }

  private mutating func takeClientID(_ text: String?, _ origin: String) {
    guard let text, GUIDText.isWellFormed(text), !TemplatePlaceholder.isDummyGUID(text), text != GUIDText.zero else {
      return
    }
    take(\.clientID, text, origin)
  }

  private mutating func take<Value: Sendable>(
    _ fact: WritableKeyPath<DetectedRegistration, Fact<Value>?>, _ value: Value?, _ origin: String
  ) {
    guard self[keyPath: fact] == nil, let value else { return }
    if let text = value as? String,
      text.isEmpty || Definitions.holdsReference(text) || TemplatePlaceholder.find(in: text) != nil
    {
      return
    }
    self[keyPath: fact] = Fact(value: value, origin: origin)
  }

  private static func bundleID(inRedirect uri: String?) -> String? {
    guard let uri, uri.hasPrefix("msauth."), let end = uri.firstRange(of: "://auth") else { return nil }
    return String(uri[uri.index(uri.startIndex, offsetBy: "msauth.".count)..<end.lowerBound])
  }
}
