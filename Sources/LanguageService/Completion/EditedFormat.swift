import AppRegistration
import Documents

/// The format of a document, detected from the keys of its outline, from its decoded kind, or from its name.
///
/// Unlike `AppRegistrationKind`, the detection works for unfinished documents.
enum EditedFormat: Sendable {
  case workflow, scenarios, directory, settings, configuration, infoPlist, entitlements, androidConfig, appManifest,
    appsettings, msalJS

  init?(_ document: SnapshotDocument, _ outline: OutlineNode?) {
    let name = FilePath.name(of: document.name)
    if [".authflow.yaml", ".authflow.yml"].contains(name) {
      self = .configuration
      return
    }
    if let format = outline.flatMap({ Self.detect($0, fileName: name) }) ?? Self(document.reading.kind)
      ?? Self(fileName: name)
    {
      self = format
      return
    }
    return nil
  }

  private init?(_ kind: AppRegistrationKind) {
    switch kind {
    case .authSettings: self = .settings
    case .infoPlist: self = .infoPlist
    case .entitlements: self = .entitlements
    case .androidConfig: self = .androidConfig
    case .appManifest: self = .appManifest
    case .appsettings: self = .appsettings
    case .msalJS: self = .msalJS
    case .workflow: self = .workflow
    case .scenarios: self = .scenarios
    case .directory: self = .directory
    case .androidManifest, .xcodeProject, .appAuth, .tokenCache, .unknown: return nil
    }
  }

  private static func detect(_ outline: OutlineNode, fileName name: String) -> EditedFormat? {
    let keys = Set(outline.keys)
    if keys.contains("authflow") {
      guard !keys.contains("steps") else { return .workflow }
      return keys.contains("workflow") || name.contains(".scenarios.") ? .scenarios : .workflow
    }
    // The keys of a workflow can be written in any order.
    if keys.contains("steps") { return .workflow }
    if keys.contains("directory"), !keys.isDisjoint(with: ["tenants", "apps", "extends", "resources"]) {
      return .directory
    }
    return nil
  }

  /// Guesses the format from the file name, for a document with few keys.
  private init?(fileName name: String) {
    let lowercased = name.lowercased()
    let stem = lowercased.prefix { $0 != "." }
    func hasExtension(_ extensions: String...) -> Bool { extensions.contains { lowercased.hasSuffix(".\($0)") } }
    if lowercased.contains(".scenarios.") {
      self = .scenarios
    } else if hasExtension("entitlements") {
      self = .entitlements
    } else if lowercased.hasSuffix("info.plist") {
      self = .infoPlist
    } else if hasExtension("json"), lowercased.hasPrefix("auth_config") || lowercased.hasPrefix("msal_config") {
      self = .androidConfig
    } else if hasExtension("json"), lowercased.hasPrefix("appsettings") {
      self = .appsettings
    } else if hasExtension("json"), lowercased.contains("manifest") {
      self = .appManifest
    } else if hasExtension("json"), lowercased.contains("msal") || lowercased == "auth-config.json" {
      self = .msalJS
    } else if stem.hasSuffix("directory"), hasExtension("yaml", "yml", "json", "plist") {
      self = .directory
    } else if stem.hasSuffix("settings"), hasExtension("yaml", "yml", "json", "plist") {
      self = .settings
    } else if hasExtension("yaml", "yml") {
      self = .workflow
    } else {
      return nil
    }
  }
}
