import AppRegistration
import Diagnostics
import Documents

/// A rule whose findings the settings loader reports. The check is part of the loader because `run` must reject the
/// same files.
protocol LoadingRule: Rule {
  var rule: SettingsRule { get }
  /// Returns the corrected value, or nil if there is no certain correction.
  func fixed(_ value: String, _ finding: Diagnostic, in file: ValidatedFile) -> String?
  /// Returns the fix for a finding. By default, the fix replaces the value at the finding's place with
  /// `fixed(_:_:in:)`.
  func fix(_ finding: Diagnostic, in file: ValidatedFile) -> Diagnostic.Fix?
}

extension LoadingRule {
  package var id: String { rule.rawValue }
  package var severity: Diagnostic.Severity { .error }
  /// Example files, settings for other libraries, and settings with disabled sign-in have lower severities: see
  /// `maximumSeverity(of:)`.
  package var otherSeverities: Set<Diagnostic.Severity> { Set(Diagnostic.Severity.allCases.filter { $0 < severity }) }

  func fixed(_ value: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? { nil }

  func fix(_ finding: Diagnostic, in file: ValidatedFile) -> Diagnostic.Fix? {
    guard let node = file.node(at: finding.place), let current = node.string,
      let value = fixed(current, finding, in: file), value != current,
      // The output shows the corrected value, so it must be short and must not contain secrets.
      value.utf8.count <= TemplatePlaceholder.longestText, SecretPattern.redacting(value) == value
    else { return nil }
    return TextEdits.replaceValue(node, with: value).map {
      Diagnostic.Fix(description: "replace with `\(value)`", edits: $0)
    }
  }

  package func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] { findings(in: file) }

  /// The findings of this rule that the settings loader reported.
  func findings(in file: ValidatedFile) -> [Diagnostic] {
    guard rule.applies(to: file.kind) else { return [] }
    let reported = file.loadingDiagnostics.filter { $0.rule == id }
    guard !reported.isEmpty else { return [] }
    let maximumSeverity = file.maximumSeverity(of: rule)
    return reported.enumerated().map { number, finding in
      var finding = finding
      finding.severity = min(finding.severity, maximumSeverity)
      // The report omits findings beyond the limit, so they do not need fixes.
      if finding.fix == nil, number < ProjectValidator.mostFindings { finding.fix = fix(finding, in: file) }
      return finding
    }
  }
}

extension ValidatedFile {
  /// The value at exactly a place; nil if the place is in another file or inside a value.
  func node(at place: FileSpan) -> Node? {
    guard let span = place.span, place.source.name == name, let node else { return nil }
    return Self.node(at: span, in: node)
  }

  private static func node(at span: SourceSpan, in node: Node) -> Node? {
    if node.span == span { return node }
    func contains(_ child: Node) -> Bool { child.span.start <= span.start && span.end <= child.span.end }
    let children = node.kind == .mapping ? node.entries.map(\.value) : Array(node.elements)
    return children.first(where: contains).flatMap { Self.node(at: span, in: $0) }
  }

  /// Whether the settings may belong to a web page or console app: JSON without keys for Apple platforms.
  var isOfAnotherPlatform: Bool {
    guard document?.syntax == .json, kind == .authSettings else { return false }
    return loadedSettings.allSatisfy { loaded in
      let settings = loaded.settings
      return settings.platform == nil && settings.bundleID == nil && settings.infoPlist == nil
        && settings.redirectURI?.value.lowercased().hasPrefix("http") == true
    }
  }

  /// Whether the settings are for ADAL or a generic OAuth client, which have other requirements than MSAL.
  var isOfAnotherLibrary: Bool { kind == .authSettings && node.map(NonMSALSettings.own) == true }

  /// Whether the settings are in a custom format, whose other keys only the app's code can interpret.
  var hasCustomFormat: Bool {
    guard kind == .authSettings, let document, document.syntax != .yaml else { return false }
    return !AppSettings.isTutorialFormat(document.root)
  }

  /// The maximum severity of a rule's findings in this file. It is lower for example files, settings for other
  /// libraries, and settings with disabled sign-in.
  fileprivate func maximumSeverity(of rule: SettingsRule) -> Diagnostic.Severity {
    if node?["isAADAuthEnabled"]?.bool == false { return .note }
    if rule == .redirectInvalid, isOfAnotherPlatform { return .note }
    if rule.isMSALRequirement, isOfAnotherLibrary { return .note }
    // An app with a custom format may need the version, or call another API.
    if rule == .graphEndpointMalformed || rule == .graphEndpointHost, hasCustomFormat, !sendsTokensWithoutTLS {
      return .note
    }
    return isExample && rule.reportsMissingValues ? .warning : .error
  }
}

extension ValidatedFile {
  private var sendsTokensWithoutTLS: Bool {
    loadedSettings.contains { $0.settings.graphEndpoint?.value.lowercased().hasPrefix("http://") == true }
  }

  /// Relaxes findings about keys in custom formats, where a spelling that is similar to a known key may be intended.
  mutating func relaxCustomKeyFindings() {
    if hasCustomFormat {
      diagnostics.removeAll { $0.rule == "key-spelling" }
      for index in diagnostics.indices where diagnostics[index].rule == "unknown-key" {
        diagnostics[index].severity = .note
        diagnostics[index].fix = nil
        diagnostics[index].help = diagnostics[index].help.map { "\($0) (only if authflow should read this key)" }
      }
    }
    // AndroidKeyCase reports these keys, without a fix because the app's code may read them.
    if kind == .androidConfig, let root = node {
      let keys = Set(AndroidKeyCase.keys(of: root).map(\.key.place.start))
      diagnostics.removeAll { $0.rule == "unknown-key" && keys.contains($0.place.start) }
    }
  }
}

extension SettingsRule {
  /// Whether the rule checks a requirement of MSAL that other libraries do not have.
  fileprivate var isMSALRequirement: Bool {
    switch self {
    case .redirectInvalid, .redirectMalformed, .redirectNotRegistered, .scopeReserved, .scopeClientID, .scopeMalformed,
      .scopesEmpty, .appIDMissing:
      true
    default: false
    }
  }

  /// Whether the rule reports values that the user of an example file must still set.
  fileprivate var reportsMissingValues: Bool {
    switch self {
    case .appIDMissing, .appIDPlaceholder, .appIDZero, .appIDDummy, .authorityPlaceholder, .redirectMalformed,
      .scopeMalformed,
      .tenantMalformed, .scopesEmpty:
      true
    default: false
    }
  }
}
