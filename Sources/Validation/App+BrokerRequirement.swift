import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

/// What makes MSAL ask for the broker's schemes.
enum BrokerRequirement {
  /// The redirect in use is one that a broker answers to: MSAL refuses to start without the schemes.
  case certain(Node)
  /// There is a scheme that a broker answers to, but whether the app's redirect has it is not known.
  case likely(Node)
  /// A part of the broker's schemes beside a redirect to which no broker answers: somebody wanted one.
  case begun
}

extension App {
  /// Nil where nothing speaks of a broker, or the app's settings name a redirect that has none.
  func brokerDemand(of file: ValidatedFile) -> BrokerRequirement? {
    guard let plist = file.infoPlist else { return nil }
    let known = bundleIDs(of: file).map(\.value)
    let asks = plist.queries.contains { $0.text.lowercased().hasPrefix("msauthv") }
    let own = plist.ownSchemes
    if !own.isEmpty || !plist.brokerRedirects.isEmpty {
      let answers = summary.redirects.answers(own.map(\.entry.text), known)
      // Intune signs in by itself, whatever the app's own settings say.
      if plist.brokerRedirects.isEmpty, answers.hasNo, !answers.hasYes { return asks ? .begun : nil }
      let fitting = own.first { Self.fits($0.bundleID, known, plist) }
      if let fitting, !answers.hasNo { return .certain(fitting.entry.node) }
      let redirect = plist.brokerRedirects.first { entry in
        known.contains { entry.text == RedirectURI.brokerCapable(bundleID: $0) }
      }
      if let redirect { return .certain(redirect.node) }
      return (own.first?.entry ?? plist.brokerRedirects.first).map { .likely($0.node) }
    }
    return plist.hasClientScheme && asks ? .begun : nil
  }

  /// Whether every one of the app's settings names a redirect to which no broker answers, so that `msauth.<bundle id>` is not
  /// asked for.
  func settingsNameAnotherRedirect(than file: ValidatedFile) -> Bool {
    guard let plist = file.infoPlist else { return false }
    let known = bundleIDs(of: file).map(\.value)
    let answers = summary.redirects.answers(plist.ownSchemes.map(\.entry.text), known)
    return answers.hasNo && !answers.hasYes
  }

  private static func fits(_ bundleID: Substring, _ known: [String], _ plist: InfoPlist) -> Bool {
    if known.contains(where: { $0 == bundleID }) { return true }
    return bundleID == "$(PRODUCT_BUNDLE_IDENTIFIER)" || bundleID == "${PRODUCT_BUNDLE_IDENTIFIER}"
  }
}

/// Whether a broker answers to the redirects of an app's settings; those of a Mac, of Android or of a page are no concern here.
struct SettingsRedirects: Sendable {
  /// Whether settings leave the redirect to MSAL, or name one that always has a broker.
  private var hasYes = false
  private var hasNo = false
  /// Those whose answer depends on the Info.plist: it must register the scheme, or its bundle id must be the host.
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
    // With the check left out MSAL takes every redirect for one without a broker.
    guard settings.bypassRedirectURIValidation?.value != true,
      settings.brokerAvailability?.value != RedirectVerification.BrokerAvailability.none
    else {
      hasNo = true
      return
    }
    guard let text = settings.redirectURI?.value ?? settings.redirectScheme?.value, !text.isEmpty,
      !Definitions.holdsReference(text), TemplatePlaceholder.find(in: text) == nil, !text.hasPrefix("msauth.")
    else {
      hasYes = true
      return
    }
    // ADAL's form, <any scheme>://<bundle id>, has one too.
    if text.contains("://") { hosts.insert(URLParts(text)?.host ?? "") } else { schemes.insert(text) }
  }

  /// The answers for an Info.plist with these schemes and bundle ids.
  func answers(_ registered: [String], _ bundleIDs: [String]) -> (hasYes: Bool, hasNo: Bool) {
    let fitting = Set(registered).count(where: schemes.contains) + Set(bundleIDs).count(where: hosts.contains)
    return (hasYes || fitting > 0, hasNo || schemes.count + hosts.count > fitting)
  }
}

extension InfoPlist {
  /// Whether `msal<client id>` is registered, on which MSAL falls back.
  var hasClientScheme: Bool {
    schemes.contains { if case .client = SignInScheme($0.text) { true } else { false } }
  }

  /// The redirects of Intune's settings to which a broker answers.
  fileprivate var brokerRedirects: [Entry] {
    intune.filter { $0.key == "ADALRedirectUri" && $0.entry.text.hasPrefix("msauth.") }.map(\.entry)
  }
}
