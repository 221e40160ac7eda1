import AppRegistration
import Documents
import Effects
import IdentityPlatform
import Validation

/// The app registration values that were detected in the app's files.
struct DetectedRegistration {
  /// A value, with the path of the file that contains the value.
  struct Value<Wrapped: Sendable>: Sendable {
    var value: Wrapped
    /// The path of the file.
    var origin: String

    func map<Other: Sendable>(_ transform: (Wrapped) -> Other) -> Value<Other> {
      Value<Other>(value: transform(value), origin: origin)
    }
  }

  var clientID: Value<String>?
  /// A tenant ID or domain, or `common`, `organizations`, or `consumers`.
  var tenant: Value<String>?
  /// An authority other than a tenant of the public cloud: B2C, CIAM, or a national cloud.
  var authority: Value<String>?
  /// The parsed authority, or nil if it is malformed.
  var parsedAuthority: Authority?
  var platform: Value<ApplePlatform>?
  var bundleID: Value<String>?
  var scopes: Value<[String]>?
  /// The settings file with the shortest path. Environment-specific settings are ignored.
  var settingsFile: String?

  /// Detects the values in a project's files. Placeholders and references to build settings are ignored.
  init(_ project: Project) {
    let settings = project.files.filter { $0.kind == .authSettings && SettingsOverlay.base(of: $0.name) == nil }
    settingsFile = settings.map(\.name).min {
      ($0.split(separator: "/").count, $0) < ($1.split(separator: "/").count, $1)
    }
    // Read the most reliable files first, because the first value is used.
    for file in project.files where file.kind == .authSettings || file.kind == .androidConfig { addSettings(of: file) }
    for file in project.files { file.appManifests.forEach { add($0, file.name) } }
    for file in project.files {
      for configuration in file.xcodeProject?.configurations ?? [] where configuration.isApp {
        add(\.bundleID, configuration.bundleID?.value, file.name)
        if let platforms = configuration.platforms, platforms.count == 1 {
          add(\.platform, platforms.first, file.name)
        }
      }
    }
    for file in project.files { if let plist = file.infoPlist { add(plist, file.name) } }
    for file in project.files where file.kind == .entitlements && file.node?["com.apple.security.app-sandbox"] != nil {
      add(\.platform, .macOS, file.name)
    }
  }

  private mutating func addSettings(of file: ValidatedFile) {
    for loaded in file.loadedSettings {
      let settings = loaded.settings
      addClientID(settings.appID?.value, file.name)
      addAuthority(loaded, file.name)
      if file.kind == .authSettings {
        add(\.platform, settings.platform?.value, file.name)
        if let scopes = settings.scopes?.value.map(\.value), !scopes.isEmpty { add(\.scopes, scopes, file.name) }
        add(\.bundleID, settings.bundleID?.value ?? Self.bundleID(inRedirect: settings.redirectURI?.value), file.name)
      }
    }
  }

  private mutating func addAuthority(_ loaded: LoadedSettings, _ origin: String) {
    let settings = loaded.settings
    guard settings.authority != nil || settings.audience != nil || settings.tenantID != nil || settings.cloud != nil
    else { return }
    guard let authority = loaded.resolved?.authority else {
      if let segment = settings.audience?.value.tenantSegment { add(\.tenant, segment, origin) }
      // Also add an authority that cannot be resolved, so that `init` reports it.
      if let text = settings.authority?.value, URLReference(valid: text)?.host != nil { add(\.authority, text, origin) }
      return
    }
    if authority.kind == .aad, authority.cloud == .public {
      add(\.tenant, authority.tenant?.segment, origin)
    } else {
      add(\.authority, authority.url, origin)
      if self.authority?.value == authority.url { parsedAuthority = parsedAuthority ?? authority }
    }
  }

  private mutating func add(_ manifest: AppManifest, _ origin: String) {
    addClientID(manifest.appID?.value, origin)
    if let audience = manifest.audience {
      add(\.tenant, audience.tenantSegment ?? manifest.node["publisherDomain"]?.string, origin)
    }
    for redirect in manifest.redirects { add(\.bundleID, Self.bundleID(inRedirect: redirect.uri.value), origin) }
    let graph = manifest.requiredResources?.value.first { $0.isGraph }
    let names = (graph?.permissions ?? []).filter { !$0.isRole }.compactMap { permission in
      (GraphPermission.withID(permission.id.value)?.permission ?? GraphPermission.named(permission.id.value))?.name
    }.filter { !WellKnown.openIDScopes.contains($0.lowercased()) }
    if !names.isEmpty { add(\.scopes, names, origin) }
  }

  private mutating func add(_ plist: InfoPlist, _ origin: String) {
    guard !plist.isAppExtension else { return }
    add(\.bundleID, plist.bundleID?.value, origin)
    for scheme in plist.urlSchemes.map(\.value) {
      if scheme.hasPrefix("msauth.") {
        add(\.bundleID, String(scheme.dropFirst("msauth.".count)), origin)
      } else if scheme.hasPrefix("msal") {
        addClientID(String(scheme.dropFirst("msal".count)), origin)
      }
    }
    if plist.querySchemes != nil { add(\.platform, .iOS, origin) }
  }

  private mutating func addClientID(_ text: String?, _ origin: String) {
    guard let text, GUIDText.isWellFormed(text), !TemplatePlaceholder.isDummyGUID(text), text != GUIDText.zero else {
      return
    }
    add(\.clientID, text, origin)
  }

  private mutating func add<Wrapped: Sendable>(
    _ property: WritableKeyPath<DetectedRegistration, Value<Wrapped>?>, _ value: Wrapped?, _ origin: String
  ) {
    guard self[keyPath: property] == nil, let value else { return }
    if let text = value as? String,
      text.isEmpty || Definitions.containsReference(text) || TemplatePlaceholder.find(in: text) != nil
    {
      return
    }
    self[keyPath: property] = Value(value: value, origin: origin)
  }

  private static func bundleID(inRedirect uri: String?) -> String? {
    guard let uri, uri.hasPrefix("msauth."), let end = uri.firstRange(of: "://auth") else { return nil }
    return String(uri[uri.index(uri.startIndex, offsetBy: "msauth.".count)..<end.lowerBound])
  }
}
