import AppRegistration
import Diagnostics
import Documents

/// A rule whose findings the settings loader reports. The loader performs the check, because `authflow run` must reject
/// the same files.
protocol LoadingRule: Rule {
  var rule: SettingsRule { get }
  /// Returns the corrected value, or nil if the correct value is uncertain.
  func fixed(_ value: String, _ finding: Diagnostic, in file: ValidatedFile) -> String?
  /// Returns the fix for a finding. By default, the fix replaces the value at the finding's location with the result of
  /// `fixed(_:_:in:)`.
  func fix(_ finding: Diagnostic, in file: ValidatedFile) -> Diagnostic.Fix?
}

extension LoadingRule {
  package var id: String { rule.rawValue }
  package var severity: Diagnostic.Severity { .error }
  /// Severities are lower for example files, settings for other libraries, and settings with disabled sign-in. See
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

  /// Returns this rule's findings that the settings loader reported.
  func findings(in file: ValidatedFile) -> [Diagnostic] {
    guard rule.applies(to: file.kind) else { return [] }
    let reported = file.loadingDiagnostics.filter { $0.rule == id }
    guard !reported.isEmpty else { return [] }
    let maximumSeverity = file.maximumSeverity(of: rule)
    return reported.enumerated().map { number, finding in
      var finding = finding
      finding.severity = min(finding.severity, maximumSeverity)
      // The report omits findings beyond the limit, so those findings do not need a fix.
      if finding.fix == nil, number < ProjectValidator.mostFindings { finding.fix = fix(finding, in: file) }
      return finding
    }
  }
}

extension ValidatedFile {
  /// Returns the value at exactly the given location, or nil if the location is in another file or inside a value.
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

  /// Whether the settings are in a JSON file without keys for Apple platforms. Such settings can belong to a web page
  /// or a console app.
  var isOfAnotherPlatform: Bool {
    guard document?.syntax == .json, kind == .authSettings else { return false }
    return loadedSettings.allSatisfy { loaded in
      let settings = loaded.settings
      return settings.platform == nil && settings.bundleID == nil && settings.infoPlist == nil
        && settings.infoPlistContents == nil
        && settings.redirectURI?.value.lowercased().hasPrefix("http") == true
    }
  }

  /// Whether the settings are for ADAL or a generic OAuth client. Their requirements differ from MSAL's.
  var isOfAnotherLibrary: Bool { kind == .authSettings && node.map(NonMSALSettings.own) == true }

  /// Whether the settings have a custom format with keys that only the app's code can interpret.
  var hasCustomFormat: Bool {
    guard kind == .authSettings, let document, document.syntax != .yaml else { return false }
    return !AppSettings.isTutorialFormat(document.root)
  }

  /// Returns the maximum severity for a rule's findings in this file. The maximum is lower for example files, settings
  /// for other libraries, and settings with disabled sign-in.
  fileprivate func maximumSeverity(of rule: SettingsRule) -> Diagnostic.Severity {
    if node?["isAADAuthEnabled"]?.bool == false { return .note }
    if rule == .redirectInvalid, isOfAnotherPlatform { return .note }
    if rule.isMSALRequirement, isOfAnotherLibrary { return .note }
    // An app with a custom settings format may need the API version in the URL, or may call another API.
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

  /// Lowers the severity of findings about keys in custom formats, because a key that resembles a known key may be
  /// intentional there.
  mutating func relaxCustomKeyFindings() {
    if hasCustomFormat {
      diagnostics.removeAll { $0.rule == "key-spelling" }
      for index in diagnostics.indices where diagnostics[index].rule == "unknown-key" {
        diagnostics[index].severity = .note
        diagnostics[index].fix = nil
        diagnostics[index].help = diagnostics[index].help.map { "\($0) (only if authflow should read this key)" }
      }
    }
    // `AndroidKeyCase` reports these keys. It does not offer a fix because the app's code may read them.
    if kind == .androidConfig, let root = node {
      let keys = Set(AndroidKeyCase.keys(of: root).map(\.key.place.start))
      diagnostics.removeAll { $0.rule == "unknown-key" && keys.contains($0.place.start) }
    }
  }
}

extension SettingsRule {
  /// Whether the rule checks a requirement that only MSAL has.
  fileprivate var isMSALRequirement: Bool {
    switch self {
    case .redirectInvalid, .redirectMalformed, .redirectNotRegistered, .scopeReserved, .scopeClientID, .scopeMalformed,
      .scopesEmpty, .appIDMissing:
      true
    default: false
    }
  }

  /// Whether the rule reports values that the user must still set after copying an example file.
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
