import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

/// The reason that an Info.plist must list the broker schemes.
enum BrokerRequirement {
  /// The app's redirect URI supports brokers, so MSAL does not start without the schemes.
  case certain(Node)
  /// A registered scheme supports brokers, but authflow cannot determine whether the app's redirect URI uses the
  /// scheme.
  case likely(Node)
  /// The Info.plist lists broker schemes, but the redirect URI does not support brokers.
  case incomplete
}

extension App {
  /// Returns the reason that an Info.plist must list the broker schemes. Returns nil if nothing indicates a broker, or
  /// if the redirect URI in the settings does not support brokers.
  func brokerRequirement(of file: ValidatedFile) -> BrokerRequirement? {
    guard let plist = file.infoPlist else { return nil }
    let known = bundleIDs(of: file).map(\.value)
    let queriesBroker = plist.queries.contains { $0.text.lowercased().hasPrefix("msauthv") }
    let own = plist.ownSchemes
    if !own.isEmpty || !plist.brokerRedirects.isEmpty {
      let support = summary.redirects.brokerSupport(schemes: own.map(\.entry.text), bundleIDs: known)
      // The Intune SDK signs in independently of the app's settings.
      if plist.brokerRedirects.isEmpty, support == .unsupported { return queriesBroker ? .incomplete : nil }
      let match = own.first { Self.matches($0.bundleID, known) }
      if let match, support == .supported || support == .unknown { return .certain(match.entry.node) }
      let redirect = plist.brokerRedirects.first { entry in
        known.contains { entry.text == RedirectURI.brokerCapable(bundleID: $0) }
      }
      if let redirect { return .certain(redirect.node) }
      return (own.first?.entry ?? plist.brokerRedirects.first).map { .likely($0.node) }
    }
    return plist.hasClientScheme && queriesBroker ? .incomplete : nil
  }

  /// Returns whether no redirect URI in the app's settings supports brokers. The app then does not need `msauth.<bundle
  /// id>`.
  func settingsNameAnotherRedirect(than file: ValidatedFile) -> Bool {
    guard let plist = file.infoPlist else { return false }
    let known = bundleIDs(of: file).map(\.value)
    let schemes = plist.ownSchemes.map(\.entry.text)
    return summary.redirects.brokerSupport(schemes: schemes, bundleIDs: known) == .unsupported
  }

  private static func matches(_ bundleID: Substring, _ known: [String]) -> Bool {
    if known.contains(where: { $0 == bundleID }) { return true }
    return bundleID == "$(PRODUCT_BUNDLE_IDENTIFIER)" || bundleID == "${PRODUCT_BUNDLE_IDENTIFIER}"
  }
}

/// The redirect URIs in an app's iOS settings, and whether they support brokers.
struct SettingsRedirects: Sendable {
  /// The redirect URIs that brokers can respond to: all, none, some, or unknown.
  enum BrokerSupport {
    case supported, unsupported, mixed, unknown
  }

  /// Whether any settings use MSAL's default redirect URI or another URI that always supports brokers.
  private var hasSupported = false
  private var hasUnsupported = false
  /// URI schemes that support brokers only if the Info.plist registers them.
  private var schemes: Set<String> = []
  private var hosts: Set<String> = []

  init() {}

  init(_ settings: [(file: ValidatedFile, loaded: LoadedSettings)]) {
    for (holder, loaded) in settings {
      guard holder.kind == .authSettings || holder.kind == .workflow, !holder.isExample,
        loaded.settings.platform?.value != .macOS, !loaded.settings.bundleIDIsAndroidPackage
      else { continue }
      add(loaded.settings)
    }
  }

  private mutating func add(_ settings: AppSettings) {
    // If the app bypasses redirect URI validation, MSAL never uses a broker.
    guard settings.bypassRedirectURIValidation?.value != true,
      settings.brokerAvailability?.value != RedirectVerification.BrokerAvailability.none
    else {
      hasUnsupported = true
      return
    }
    guard let text = settings.redirectURI?.value ?? settings.redirectScheme?.value, !text.isEmpty,
      !Definitions.containsReference(text), TemplatePlaceholder.find(in: text) == nil, !text.hasPrefix("msauth.")
    else {
      hasSupported = true
      return
    }
    // The ADAL format, `<scheme>://<bundle id>`, also supports brokers.
    if text.contains("://") { hosts.insert(URLReference(valid: text)?.writtenHost ?? "") } else { schemes.insert(text) }
  }

  /// Returns the broker support for an Info.plist with the given schemes and bundle IDs.
  func brokerSupport(schemes registered: [String], bundleIDs: [String]) -> BrokerSupport {
    let matches = Set(registered).count(where: schemes.contains) + Set(bundleIDs).count(where: hosts.contains)
    let isSupported = hasSupported || matches > 0
    let isUnsupported = hasUnsupported || schemes.count + hosts.count > matches
    return switch (isSupported, isUnsupported) {
    case (true, false): .supported
    case (false, true): .unsupported
    case (true, true): .mixed
    case (false, false): .unknown
    }
  }
}

extension InfoPlist {
  /// Whether the file registers `msal<client id>`, which MSAL uses if `msauth.<bundle id>` is missing.
  var hasClientScheme: Bool {
    schemes.contains { if case .client = SignInScheme($0.text) { true } else { false } }
  }

  /// The redirect URIs in the Intune settings that support brokers.
  fileprivate var brokerRedirects: [Entry] {
    intune.filter { $0.key == "ADALRedirectUri" && $0.entry.text.hasPrefix("msauth.") }.map(\.entry)
  }
}
