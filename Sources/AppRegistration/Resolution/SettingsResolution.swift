import Diagnostics
import Documents
import IdentityPlatform
import OrderedCollections

/// The way from settings to what MSAL makes of them: one question after the other, each answer with its origin.
struct SettingsResolution {
  let settings: AppSettings
  /// Where the settings stand as a whole, for what is missing.
  let base: FileSpan
  var problems: DiagnosticCollector
  var infoPlist: InfoPlist?
  var origins: [(key: String, origin: ResolvedSettings.Origin)] = []
  var failure: ApplicationFailure?
  var acceptsPlaceholderAppID = false

  init(settings: AppSettings, base: FileSpan, problems: DiagnosticCollector) {
    self.settings = settings
    self.base = base
    self.problems = problems
  }

  mutating func finish() -> LoadedSettings {
    let authority = resolveAuthority()
    let clientID = resolveClientID(authority)
    let scopes = resolveScopes(clientID: clientID, authority)
    let endpoint = resolveGraphEndpoint(authority)
    let redirect = customRedirect()
    checkNestedAuth()
    var resolved: ResolvedSettings?
    if let authority, let clientID, let scopes, let endpoint {
      resolved = resolve(
        clientID: clientID, authority: authority, scopes: scopes, endpoint: endpoint, custom: redirect)
    } else {
      checkTheRest(besides: clientID, authority, redirect)
    }
    return LoadedSettings(
      settings: settings, resolved: problems.diagnostics.hasErrors ? nil : resolved, failure: failure,
      infoPlist: infoPlist, diagnostics: problems.diagnostics)
  }

  /// What is left to be said where something essential is missing: all mistakes are told at once.
  private mutating func checkTheRest(besides clientID: String?, _ authority: Authority?, _ custom: Positioned<String>?)
  {
    let bundleID = resolveBundleID(besides: custom)
    if let authority, custom != nil {
      _ = resolveRedirect(
        custom, clientID: clientID ?? "", bundleID: bundleID, platform: settings.platform?.value ?? .macOS,
        authority: authority)
    }
    _ = resolveKnownAuthorities()
    if let authority { _ = resolveTestServerSecret(authority) }
  }

  private mutating func resolve(
    clientID: String, authority: Authority, scopes: [String], endpoint: String, custom: Positioned<String>?
  ) -> ResolvedSettings {
    let platform = take("Platform", settings.platform, default: .macOS)
    let bundleID = resolveBundleID(besides: custom)
    let redirect = resolveRedirect(
      custom, clientID: clientID, bundleID: bundleID, platform: platform, authority: authority)
    var resolved = ResolvedSettings(
      clientID: clientID, authority: authority, scopes: scopes, platform: platform, bundleID: bundleID,
      redirect: redirect,
      customRedirectURI: custom?.value,
      keychainGroup: take("KeychainGroup", settings.keychainGroup, default: platform.defaultKeychainGroup),
      graphEndpoint: endpoint)
    resolved.knownAuthorities = resolveKnownAuthorities()
    resolved.validatesAuthority = take("ValidateAuthority", settings.validateAuthority, default: true)
    resolved.multipleCloudsSupported = take("MultipleCloudsSupported", settings.multipleCloudsSupported, default: false)
    resolved.bypassRedirectURIValidation = take(
      "BypassRedirectURIValidation", settings.bypassRedirectURIValidation, default: false)
    resolved.extendedLifetimeEnabled = take("ExtendedLifetimeEnabled", settings.extendedLifetimeEnabled, default: false)
    resolved.tokenExpirationBuffer = take("TokenExpirationBuffer", settings.tokenExpirationBuffer, default: 300)
    resolved.clientCapabilities = take("ClientCapabilities", settings.clientCapabilities, default: []).map(\.value)
    resolved.extraQueryParameters = take("ExtraQueryParameters", settings.extraQueryParameters, default: [:])
    resolved.slice = settings.slice?.value
    resolved.nestedAuthBrokerClientID = settings.nestedAuthBrokerClientID?.value
    resolved.nestedAuthBrokerRedirectURI = settings.nestedAuthBrokerRedirectURI?.value
    resolved.webviewType = take("WebviewType", settings.webviewType, default: .default)
    resolved.accountMode = take("AccountMode", settings.accountMode, default: .multiple)
    resolved.brokerAvailability = take("BrokerAvailability", settings.brokerAvailability, default: .auto)
    resolved.telemetryEnabled = take("TelemetryEnabled", settings.telemetryEnabled, default: true)
    resolved.appVersion = resolveAppVersion()
    resolved.testServerClientSecret = resolveTestServerSecret(authority)
    if let infoPlist, platform == .iOS {
      resolved.registeredSchemes = infoPlist.urlSchemes.map(\.value)
      resolved.querySchemes = infoPlist.querySchemes?.value.map(\.value) ?? []
      resolved.isAppExtension = infoPlist.isAppExtension
    }
    for (key, origin) in origins { resolved.origins[key] = origin }
    return resolved
  }

  /// As the settings say, else the Info.plist, where no build setting is left in it.
  private mutating func resolveAppVersion() -> String? {
    guard let version = settings.appVersion ?? infoPlist?.version, !Definitions.holdsReference(version.value) else {
      return nil
    }
    origins.append(("AppVersion", .written(version.place)))
    return version.value
  }

  // MARK: What the questions share

  /// The value that is written, or the default; notes which.
  mutating func take<Value>(_ key: String, _ value: Positioned<Value>?, default defaultValue: Value) -> Value {
    origins.append((key, value.map { .written($0.place) } ?? .byDefault))
    return value?.value ?? defaultValue
  }

  /// Words that repeat a value of megabytes are cut: nobody reads them, and they would be written once for each output.
  private static func shown(_ words: String) -> String {
    words.utf8.count <= TemplatePlaceholder.longestText ? words : "\(words.prefix(200))…"
  }

  mutating func error(_ rule: SettingsRule, _ message: String, help: String? = nil, at place: FileSpan) {
    problems.add(Diagnostic(.error, rule: rule.rawValue, Self.shown(message), help: help.map(Self.shown), at: place))
  }

  mutating func warning(_ rule: SettingsRule, _ message: String, help: String? = nil, at place: FileSpan) {
    problems.add(Diagnostic(.warning, rule: rule.rawValue, Self.shown(message), help: help.map(Self.shown), at: place))
  }

  /// An error that MSAL would raise when the application object is made; the first one counts.
  mutating func fail(_ failure: MSALFailure, rule: SettingsRule, at place: FileSpan) {
    let number = failure.internalCode?.rawValue ?? failure.code.rawValue
    let symbol = failure.internalCode?.symbol ?? failure.code.symbol
    let diagnostic = Diagnostic(
      .error, rule: rule.rawValue, "\(failure.words) (MSAL: \(symbol), \(number))", help: failure.help, at: place)
    if self.failure == nil {
      self.failure = ApplicationFailure(failure: failure, diagnostic: diagnostic)
    } else {
      problems.add(diagnostic)
    }
  }
}
