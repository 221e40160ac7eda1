import Diagnostics
import IdentityPlatform

/// What has to be known before the files can be written: how it is asked for, given as an option, and checked.
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

  var words: String {
    switch self {
    case .clientID: "Application (client) id"
    case .tenant: "Who signs in: a tenant's id or domain, common, organizations or consumers"
    case .platform: "Platform: iOS or macOS"
    case .bundleID: "Bundle id"
    case .scopes: "Scopes, with spaces between"
    }
  }

  /// Puts an answer into the plan.
  /// - Returns: why it cannot be one; nil where it can.
  func take(_ answer: String, into plan: inout InitPlan) -> ValidationError? {
    switch self {
    case .clientID: plan.clientID = answer
    case .tenant: plan.authority = answer.contains("://") ? answer : "https://login.microsoftonline.com/\(answer)"
    case .bundleID: plan.bundleID = answer
    case .platform:
      guard let platform = ApplePlatform(named: answer) else {
        return ValidationError(words: "\"\(answer)\" is neither iOS nor macOS", help: nil)
      }
      plan.platform = platform
    case .scopes:
      plan.scopes = answer.split { $0 == " " || $0 == "," }.map(String.init)
    }
    guard let finding = plan.findings.first else { return nil }
    return ValidationError(words: finding.message, help: finding.help)
  }

  /// The same, tried with good answers to all other questions.
  func refusal(of answer: String, foundAuthority: Authority?) -> ValidationError? {
    var trial = InitPlan.trial
    trial.foundAuthority = foundAuthority
    return take(answer, into: &trial)
  }

  /// What the app's files answer, the surest first.
  func facts(_ facts: DetectedRegistration) -> [DetectedRegistration.Fact<String>] {
    switch self {
    case .clientID: [facts.clientID].compactMap(\.self)
    case .tenant: [facts.authority, facts.tenant].compactMap(\.self)
    case .platform: [facts.platform?.map(\.rawValue)].compactMap(\.self)
    case .bundleID: [facts.bundleID].compactMap(\.self)
    case .scopes: [facts.scopes?.map { $0.joined(separator: " ") }].compactMap(\.self)
    }
  }

  struct ValidationError {
    var words: String
    var help: String?
  }
}
