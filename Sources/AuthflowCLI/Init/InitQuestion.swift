import Diagnostics
import IdentityPlatform

/// A question that `authflow init` asks about a required value, with the corresponding option, prompt, and validation.
enum InitQuestion: CaseIterable {
  case clientID, tenant, platform, bundleID, scopes

  var option: String {
    switch self {
    case .clientID: "--client-id"
    case .tenant: "--tenant"
    case .platform: "--platform"
    case .bundleID: "--bundle-id"
    case .scopes: "--scopes"
    }
  }

  var prompt: String {
    switch self {
    case .clientID: "Application (client) ID"
    case .tenant: "Tenant ID or domain, common, organizations, or consumers"
    case .platform: "Platform: iOS or macOS"
    case .bundleID: "Bundle ID"
    case .scopes: "Scopes, separated by spaces"
    }
  }

  /// Sets the value in the plan.
  /// - Returns: The error if the value is invalid, or nil.
  func apply(_ value: String, to plan: inout InitPlan) -> ValidationError? {
    switch self {
    case .clientID: plan.clientID = value
    case .tenant: plan.authority = value.contains("://") ? value : "https://login.microsoftonline.com/\(value)"
    case .bundleID: plan.bundleID = value
    case .platform:
      guard let platform = ApplePlatform(named: value) else {
        return ValidationError(message: "unknown platform `\(value)`", help: "use `iOS` or `macOS`")
      }
      plan.platform = platform
    case .scopes:
      plan.scopes = value.split { $0 == " " || $0 == "," }.map(String.init)
    }
    guard let finding = plan.findings.first else { return nil }
    return ValidationError(message: finding.message, help: finding.help)
  }

  /// Validates a single value. All other values are valid sample values.
  /// - Returns: The error, or nil if the value is valid.
  func error(of value: String, detectedAuthority: Authority?) -> ValidationError? {
    var plan = InitPlan.sample
    plan.detectedAuthority = detectedAuthority
    return apply(value, to: &plan)
  }

  /// Returns the detected values, starting with the most reliable one.
  func values(in detected: DetectedRegistration) -> [DetectedRegistration.Value<String>] {
    switch self {
    case .clientID: [detected.clientID].compactMap(\.self)
    case .tenant: [detected.authority, detected.tenant].compactMap(\.self)
    case .platform: [detected.platform?.map(\.rawValue)].compactMap(\.self)
    case .bundleID: [detected.bundleID].compactMap(\.self)
    case .scopes: [detected.scopes?.map { $0.joined(separator: " ") }].compactMap(\.self)
    }
  }

  struct ValidationError {
    var message: String
    var help: String?
  }
}
