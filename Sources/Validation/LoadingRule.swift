import AppRegistration
import Diagnostics
import Documents

/// A rule that loading the settings already speaks: `run` must refuse the same files, so the check stands with the loader.
protocol LoadingRule: Rule {
  var rule: SettingsRule { get }
  /// The value that the matter is mended with, seen from what is written now; nil where only its owner can know.
  func fixed(_ written: String, _ finding: Diagnostic, in file: ValidatedFile) -> String?
  /// The change that mends it; another value in the same place, unless a rule says otherwise.
  func fix(_ finding: Diagnostic, in file: ValidatedFile) -> Diagnostic.Fix?
}

extension LoadingRule {
  package var id: String { rule.rawValue }
  package var severity: Diagnostic.Severity { .error }
  /// Examples, files for other libraries, and settings whose sign-in is off are judged less strictly: see `gravest`.
  package var otherSeverities: Set<Diagnostic.Severity> { Set(Diagnostic.Severity.allCases.filter { $0 < severity }) }

  func fixed(_ written: String, _ finding: Diagnostic, in file: ValidatedFile) -> String? { nil }

  func fix(_ finding: Diagnostic, in file: ValidatedFile) -> Diagnostic.Fix? {
    guard let node = file.node(at: finding.place), let written = node.string,
      let mended = fixed(written, finding, in: file), mended != written,
      // A change repeats what it keeps, and the output shows it.
      mended.utf8.count <= TemplatePlaceholder.longestText, SecretPattern.hiding(mended) == mended
    else { return nil }
    return TextEdits.replaceValue(node, with: mended).map { Diagnostic.Fix(description: "write \(mended)", edits: $0) }
  }

  package func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] { findings(in: file) }

  /// What loading the file's settings had to say under this rule's name.
  func findings(in file: ValidatedFile) -> [Diagnostic] {
    guard rule.concerns(file.kind) else { return [] }
    let told = file.loadingDiagnostics.filter { $0.rule == id }
    guard !told.isEmpty else { return [] }
    let gravest = file.gravest(rule)
    return told.enumerated().map { number, finding in
      var finding = finding
      finding.severity = min(finding.severity, gravest)
      // Of more than are told, the fixes would be made for nobody.
      if finding.fix == nil, number < ProjectValidator.mostFindings { finding.fix = fix(finding, in: file) }
      return finding
    }
  }
}

extension ValidatedFile {
  /// The value that stands exactly at a place; nil where the place is in another file, or inside a value.
  func node(at place: FileSpan) -> Node? {
    guard let span = place.span, place.source.name == name, let node else { return nil }
    return Self.node(at: span, in: node)
  }

  private static func node(at span: SourceSpan, in node: Node) -> Node? {
    if node.span == span { return node }
    func holds(_ child: Node) -> Bool { child.span.start <= span.start && span.end <= child.span.end }
    let children = node.kind == .mapping ? node.entries.map(\.value) : Array(node.elements)
    return children.first(where: holds).flatMap { Self.node(at: span, in: $0) }
  }

  /// Whether the settings could just as well be those of a web page or a console program: JSON that names nothing of Apple's.
  var isOfAnotherPlatform: Bool {
    guard document?.syntax == .json, kind == .authSettings else { return false }
    return loadedSettings.allSatisfy { loaded in
      let settings = loaded.settings
      return settings.platform == nil && settings.bundleID == nil && settings.infoPlist == nil
        && settings.redirectURI?.value.lowercased().hasPrefix("http") == true
    }
  }

  /// Whether the settings were written for ADAL or a plain OAuth client, which make other demands than MSAL.
  var isOfAnotherLibrary: Bool { kind == .authSettings && node.map(NonMSALSettings.own) == true }

  /// Whether the settings are in an app's own format, whose keys and further meaning only the app's code knows.
  var hasFormatOfItsOwn: Bool {
    guard kind == .authSettings, let document, document.syntax != .yaml else { return false }
    return !AppSettings.isTutorialFormat(document.root)
  }

  /// How serious a finding about the settings can be in this file at most: what is there to be filled in is not wrong yet, and
  /// settings whose sign-in is turned off harm nobody.
  fileprivate func gravest(_ rule: SettingsRule) -> Diagnostic.Severity {
    if node?["isAADAuthEnabled"]?.bool == false { return .note }
    if rule == .redirectInvalid, isOfAnotherPlatform { return .note }
    if rule.isMSALsDemand, isOfAnotherLibrary { return .note }
    // The app's own calls may well need the version, or go elsewhere.
    if rule == .graphEndpointMalformed || rule == .graphEndpointHost, hasFormatOfItsOwn, !sendsTokensInClear {
      return .note
    }
    return isExample && rule.isAboutFillingIn ? .warning : .error
  }
}

extension ValidatedFile {
  private var sendsTokensInClear: Bool {
    loadedSettings.contains { $0.settings.graphEndpoint?.value.lowercased().hasPrefix("http://") == true }
  }

  /// Leaves an app's own keys alone: another spelling of a key is the app's, and a near miss of a known key may be meant.
  mutating func leaveOwnKeysAlone() {
    if hasFormatOfItsOwn {
      diagnostics.removeAll { $0.rule == "key-spelling" }
      for index in diagnostics.indices where diagnostics[index].rule == "unknown-key" {
        diagnostics[index].severity = .note
        diagnostics[index].fix = nil
        diagnostics[index].help = diagnostics[index].help.map { "if authflow is to read it: \($0)" }
      }
    }
    // A rule of its own reports these keys. Only the app's code knows whether it reads them itself.
    if kind == .androidConfig, let root = node {
      let keys = Set(AndroidKeyCase.keys(of: root).map(\.key.place.start))
      diagnostics.removeAll { $0.rule == "unknown-key" && keys.contains($0.place.start) }
    }
  }
}

extension SettingsRule {
  /// Whether MSAL refuses what other libraries take.
  fileprivate var isMSALsDemand: Bool {
    switch self {
    case .redirectInvalid, .redirectMalformed, .redirectNotRegistered, .scopeReserved, .scopeClientID, .scopeMalformed,
      .scopesEmpty, .appIDMissing:
      true
    default: false
    }
  }

  /// Whether it finds what a reader has still to fill in.
  fileprivate var isAboutFillingIn: Bool {
    switch self {
    case .appIDMissing, .appIDPlaceholder, .appIDZero, .appIDDummy, .authorityPlaceholder, .redirectMalformed,
      .scopeMalformed,
      .tenantMalformed, .scopesEmpty:
      true
    default: false
    }
  }
}
