import Diagnostics
import Documents
import IdentityPlatform
import OrderedCollections

/// Resolves settings to the values that MSAL uses, and records the origin of each value.
struct SettingsResolution {
  let settings: AppSettings
  /// The location of the settings, for diagnostics about missing keys.
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
      checkRemainingSettings(clientID: clientID, authority, redirect)
    }
    return LoadedSettings(
      settings: settings, resolved: problems.diagnostics.hasErrors ? nil : resolved, failure: failure,
      infoPlist: infoPlist, diagnostics: problems.diagnostics)
  }

  /// Checks the remaining settings when an essential value is missing, to report all problems at once.
  private mutating func checkRemainingSettings(
    clientID: String?, _ authority: Authority?, _ custom: Positioned<String>?
  ) {
    let bundleID = resolveBundleID(redirectURI: custom)
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
    let platform = valueOrDefault("Platform", settings.platform, default: .macOS)
    let bundleID = resolveBundleID(redirectURI: custom)
    let redirect = resolveRedirect(
      custom, clientID: clientID, bundleID: bundleID, platform: platform, authority: authority)
    var resolved = ResolvedSettings(
      clientID: clientID, authority: authority, scopes: scopes, platform: platform, bundleID: bundleID,
      redirect: redirect,
      customRedirectURI: custom?.value,
      keychainGroup: valueOrDefault("KeychainGroup", settings.keychainGroup, default: platform.defaultKeychainGroup),
      graphEndpoint: endpoint)
    resolved.knownAuthorities = resolveKnownAuthorities()
    resolved.validatesAuthority = valueOrDefault("ValidateAuthority", settings.validateAuthority, default: true)
    resolved.multipleCloudsSupported = valueOrDefault(
      "MultipleCloudsSupported", settings.multipleCloudsSupported, default: false)
    resolved.bypassRedirectURIValidation = valueOrDefault(
      "BypassRedirectURIValidation", settings.bypassRedirectURIValidation, default: false)
    resolved.extendedLifetimeEnabled = valueOrDefault(
      "ExtendedLifetimeEnabled", settings.extendedLifetimeEnabled, default: false)
    resolved.tokenExpirationBuffer = valueOrDefault(
      "TokenExpirationBuffer", settings.tokenExpirationBuffer, default: 300)
    resolved.clientCapabilities = valueOrDefault("ClientCapabilities", settings.clientCapabilities, default: []).map(
      \.value)
    resolved.extraQueryParameters = valueOrDefault("ExtraQueryParameters", settings.extraQueryParameters, default: [:])
    resolved.slice = settings.slice?.value
    resolved.nestedAuthBrokerClientID = settings.nestedAuthBrokerClientID?.value
    resolved.nestedAuthBrokerRedirectURI = settings.nestedAuthBrokerRedirectURI?.value
    resolved.webviewType = valueOrDefault("WebviewType", settings.webviewType, default: .default)
    resolved.accountMode = valueOrDefault("AccountMode", settings.accountMode, default: .multiple)
    resolved.brokerAvailability = valueOrDefault("BrokerAvailability", settings.brokerAvailability, default: .auto)
    resolved.telemetryEnabled = valueOrDefault("TelemetryEnabled", settings.telemetryEnabled, default: true)
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

  /// Returns the version from the settings or the Info.plist, unless it contains an unresolved build setting.
  private mutating func resolveAppVersion() -> String? {
    guard let version = settings.appVersion ?? infoPlist?.version, !Definitions.containsReference(version.value) else {
      return nil
    }
    origins.append(("AppVersion", .source(version.place)))
    return version.value
  }

  // MARK: Helpers

  /// Returns the value from the settings, or the default, and records its origin.
  mutating func valueOrDefault<Value>(_ key: String, _ value: Positioned<Value>?, default defaultValue: Value) -> Value
  {
    origins.append((key, value.map { .source($0.place) } ?? .byDefault))
    return value?.value ?? defaultValue
  }

  /// Shortens messages that quote a very long value.
  private static func shortened(_ message: String) -> String {
    message.utf8.count <= TemplatePlaceholder.longestText ? message : "\(message.prefix(200))…"
  }

  mutating func error(_ rule: SettingsRule, _ message: String, help: String? = nil, at place: FileSpan) {
    problems.add(
      Diagnostic(.error, rule: rule.rawValue, Self.shortened(message), help: help.map(Self.shortened), at: place))
  }

  mutating func warning(_ rule: SettingsRule, _ message: String, help: String? = nil, at place: FileSpan) {
    problems.add(
      Diagnostic(.warning, rule: rule.rawValue, Self.shortened(message), help: help.map(Self.shortened), at: place))
  }

  /// Reports an error that MSAL's application initializer would return. The first error becomes the failure.
  mutating func fail(_ failure: MSALFailure, rule: SettingsRule, at place: FileSpan) {
    let number = failure.internalCode?.rawValue ?? failure.code.rawValue
    let symbol = failure.internalCode?.symbol ?? failure.code.symbol
    let diagnostic = Diagnostic(
      .error, rule: rule.rawValue, "\(failure.message) (MSAL: \(symbol), \(number))", help: failure.help, at: place)
    if self.failure == nil {
      self.failure = ApplicationFailure(failure: failure, diagnostic: diagnostic)
    } else {
      problems.add(diagnostic)
    }
  }
}
