import Documents
import IdentityPlatform
import OrderedCollections
import RunTrace

extension LoadedSettings {
  /// Returns the output of `authflow settings --format json`, or nil if the settings could not be resolved.
  ///
  /// Scripts depend on this format: `version` increases when the meaning of a member changes.
  /// - Parameter explaining: Whether to include each value's origin, by key.
  package func json(explaining: Bool = false) -> JSON? {
    guard let resolved else { return nil }
    var json = SettingsReport(resolved, failure: failure).json
    if !resolved.isBundleIDKnown {
      // A run uses a placeholder bundle ID. MSAL uses the bundle ID of the running app, which is not in any file.
      json["bundleId"] = .null
      if resolved.redirect.isDefault {
        json["redirectUri"] = [
          "uri": .null, "isDefault": true, "brokerCapable": .null, "capability": .null, "reason": .null,
        ]
      }
    }
    if explaining {
      var origins: OrderedDictionary<String, JSON> = [:]
      for (key, origin) in resolved.origins { origins[key] = .string(origin.description) }
      json["origins"] = .object(origins)
    }
    return json
  }
}

/// The JSON format of resolved settings, independent of the Swift type.
private struct SettingsReport {
  let json: JSON

  init(_ settings: ResolvedSettings, failure: ApplicationFailure?) {
    var json: JSON = [
      "version": 1,
      "clientId": .string(settings.clientID),
      "authority": Self.authority(settings),
      "scopes": [
        "asked": .strings(settings.scopes), "authorize": .strings(settings.authorizeScopes),
        "token": .strings(settings.tokenScopes),
      ],
      "redirectUri": Self.redirect(settings),
      "platform": .string(settings.platform.rawValue),
      "bundleId": .string(settings.bundleID),
      "graph": ["endpoint": .string(settings.graphEndpoint), "host": .string(settings.graphHost)],
      "keychainGroup": .string(settings.keychainGroup),
    ]
    json["configuration"] = Self.configuration(settings)
    json["error"] = failure.map(Self.error) ?? .null
    self.json = json
  }

  private static func authority(_ settings: ResolvedSettings) -> JSON {
    let authority = settings.authority
    return [
      "url": .string(authority.url), "type": .string(authority.kind.rawValue),
      "environment": .string(authority.environment),
      "tenant": .orNull(authority.tenant?.segment), "tenantKind": .orNull(authority.tenant?.kindName),
      "policy": .orNull(authority.policy), "cloud": .orNull(authority.cloud?.rawValue),
      "aliases": .strings(authority.aliases), "validated": .bool(settings.isAuthorityValidated),
      "known": .strings(settings.knownAuthorities.map(\.url)),
      "openidConfiguration": .string(authority.openIDConfigurationURL),
    ]
  }

  private static func redirect(_ settings: ResolvedSettings) -> JSON {
    [
      "uri": .orNull(settings.redirect.uri), "isDefault": .bool(settings.redirect.isDefault),
      "brokerCapable": .bool(settings.redirect.isBrokerCapable),
      "capability": .string(settings.redirect.capability.rawValue),
      "reason": .orNull(
        settings.bypassRedirectURIValidation
          ? "validation is disabled" : settings.redirect.capability.reason(bundleID: settings.bundleID)),
    ]
  }

  private static func configuration(_ settings: ResolvedSettings) -> JSON {
    [
      "accountMode": .string(settings.accountMode.rawValue),
      "appVersion": .orNull(settings.appVersion),
      "brokerAvailability": .string(settings.brokerAvailability.rawValue),
      "bypassRedirectURIValidation": .bool(settings.bypassRedirectURIValidation),
      "clientCapabilities": .strings(settings.clientCapabilities),
      "extendedLifetimeEnabled": .bool(settings.extendedLifetimeEnabled),
      "extraQueryParameters": .object(settings.extraQueryParameters.mapValues { .string($0) }),
      "isAppExtension": .bool(settings.isAppExtension),
      "multipleCloudsSupported": .bool(settings.multipleCloudsSupported),
      "nestedAuthBrokerClientId": .orNull(settings.nestedAuthBrokerClientID),
      "nestedAuthBrokerRedirectUri": .orNull(settings.nestedAuthBrokerRedirectURI),
      "querySchemes": settings.querySchemes.map { JSON.strings($0) } ?? .null,
      "registeredSchemes": settings.registeredSchemes.map { JSON.strings($0) } ?? .null,
      "slice": settings.slice.map { ["slice": .orNull($0.slice), "dc": .orNull($0.dataCenter)] } ?? .null,
      "telemetryEnabled": .bool(settings.telemetryEnabled),
      // `Secret` masks its description.
      "testServerClientSecret": .orNull(settings.testServerClientSecret?.description),
      "tokenExpirationBuffer": JSON(number: settings.tokenExpirationBuffer),
      "webviewType": .string(settings.webviewType.rawValue),
    ]
  }

  private static func error(_ failure: ApplicationFailure) -> JSON {
    [
      "outcome": .string(failure.outcome), "code": .integer(Int64(failure.failure.code.rawValue)),
      "internalCode": failure.failure.internalCode.map { .integer(Int64($0.rawValue)) } ?? .null,
      "message": .string(failure.failure.message), "help": .orNull(failure.failure.help),
    ]
  }
}

extension JSON {
  fileprivate static func strings(_ values: [String]) -> JSON { .array(values.map { .string($0) }) }
  fileprivate static func orNull(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }
}

extension ResolvedSettings {
  /// The settings in the JSON format of `authflow settings`, for traces.
  package var json: JSON { SettingsReport(self, failure: nil).json }
}
