import Diagnostics
import Documents
import Effects
import IdentityPlatform

/// A function that reads the document at a path. Problems, including a missing file, are reported as diagnostics in the
/// result.
package typealias DocumentLoader = @Sendable (_ path: String, _ options: ReadingOptions) -> ReadResult

/// A document or mapping with settings.
package enum SettingsLayer: Sendable {
  case document(RegistrationDocument)
  /// A part of another document, whose diagnostics are reported elsewhere.
  case node(Node)

  var root: Node? {
    switch self {
    case .document(let file): file.document?.root
    case .node(let node): node
    }
  }

  var kind: AppRegistrationKind {
    switch self {
    case .document(let file): file.kind
    case .node(let node): AppRegistrationKind.recognize(node)
    }
  }

  var diagnostics: [Diagnostic] {
    switch self {
    case .document(let file): file.diagnostics
    case .node: []
    }
  }
}

/// The location of settings, as specified in another document.
package enum SettingsSource: Sendable {
  /// A file, relative to that document.
  case file(Positioned<String>)
  /// A mapping in that document.
  case inline(Node)
}

/// Loads settings from files or mappings.
package struct SettingsLoader: Sendable {
  /// Values for `$(NAME)` and `${NAME}`.
  package var definitions: Definitions
  /// Reads files. The loader of other documents. Relative paths have the same base folder as the names of settings
  /// files.
  package var load: DocumentLoader
  /// The environment whose overlay files override the settings files: see `SettingsOverlay`.
  package var environment: String?
  /// Whether a loopback redirect URI is valid without `BypassRedirectURIValidation`.
  ///
  /// The system browser redirects to a loopback address (RFC 8252 §7.3). MSAL for Apple platforms rejects such a
  /// redirect URI.
  package var acceptsLoopbackRedirect = false
  /// Whether a placeholder instead of the client ID is only a warning, because the emulator does not require an app
  /// registration.
  package var acceptsPlaceholderAppID = false
  /// Values from other files in the project, for keys that are missing in the settings.
  package var project = ProjectFacts()

  package init(
    definitions: Definitions = .none, environment: String? = nil, acceptsLoopbackRedirect: Bool = false,
    load: @escaping DocumentLoader
  ) {
    self.definitions = definitions
    self.environment = environment
    self.acceptsLoopbackRedirect = acceptsLoopbackRedirect
    self.load = load
  }

  /// Loads a settings file and its overlays.
  /// - Parameter overlays: Paths of files that override it, in order.
  package func load(_ path: String, overlays: [String] = []) -> LoadedSettings {
    load(([path] + overlays).map { .document(RegistrationDocument.read($0, load: load)) }, named: path)
  }

  /// Loads a settings file from memory, and its overlays.
  package func load(
    _ bytes: [UInt8], named name: String, overlays: [(name: String, bytes: [UInt8])] = []
  ) -> LoadedSettings {
    let files = [(name: name, bytes: bytes)] + overlays
    return load(files.map { .document(RegistrationDocument.read($0.bytes, named: $0.name)) }, named: name)
  }

  /// Loads settings inside another document.
  package func load(_ node: Node) -> LoadedSettings { load([.node(node)], named: node.document.source.name) }

  /// Loads the settings that another document refers to, in order: a mapping overrides previous settings, and a file
  /// replaces them.
  ///
  /// Paths are relative to the document that contains them, a workflow or a scenarios file.
  /// - Parameter document: The name of the first document.
  package func load(_ sources: [SettingsSource], relativeTo document: String) -> LoadedSettings {
    let base = sources.lastIndex { if case .file = $0 { true } else { false } } ?? 0
    var layers: [SettingsLayer] = []
    var title = document
    for source in sources[base...] {
      switch source {
      case .inline(let node): layers.append(.node(node))
      case .file(let file):
        title = Self.path(file.value, relativeTo: file.place.source.name)
        layers.append(.document(read(title, namedAt: file.place)))
        if let environment {
          let overlay = SettingsOverlay.path(over: title, environment: environment)
          let help = "create it with the values for environment `\(environment)` that differ from `\(title)`"
          layers.append(.document(read(overlay, namedAt: file.place, help: help)))
        }
      }
    }
    return load(layers, named: title)
  }

  /// Reads a file that another document refers to. Errors about the file as a whole are reported at the reference.
  private func read(_ path: String, namedAt place: FileSpan, help: String? = nil) -> RegistrationDocument {
    var read = RegistrationDocument.read(path, load: load)
    read.diagnostics.moveFileErrors(of: path, to: place, help: help)
    return read
  }

  /// Loads each section of an appsettings file separately.
  /// - Returns: One result for each section in document order, and the diagnostics of the file.
  package func loadSections(
    _ file: RegistrationDocument
  ) -> (sections: [(section: AzureAdSection, loaded: LoadedSettings)], diagnostics: [Diagnostic]) {
    guard let root = file.document?.root else { return ([], file.diagnostics) }
    let sections = AzureAdSection.readAll(root, filling: definitions).map { section, sectionProblems in
      var problems = DiagnosticCollector()
      let settings = section.settings(&problems)
      for var diagnostic in sectionProblems.diagnostics where diagnostic.rule != "missing-key" {
        // Apps store their own keys in the same section.
        if diagnostic.rule == "unknown-key" { diagnostic.severity = .note }
        problems.add(diagnostic)
      }
      return (section, resolve(settings, base: section.node?.place ?? root.place, problems))
    }
    return (sections, file.diagnostics)
  }

  /// Loads layers, each of which overrides the previous ones.
  /// - Parameter name: The name of the settings if no layer could be read.
  package func load(_ layers: [SettingsLayer], named name: String) -> LoadedSettings {
    var problems = DiagnosticCollector()
    var settings = AppSettings()
    var base: FileSpan?
    var isReadable = true
    for layer in layers {
      problems.add(contentsOf: layer.diagnostics)
      guard let root = layer.root else {
        isReadable = false
        continue
      }
      base = base ?? root.place
      settings = settings.overlaid(with: read(root, kind: layer.kind, &problems))
    }
    // If a layer could not be read, missing keys are not reported.
    guard isReadable else { return LoadedSettings(settings: settings, diagnostics: problems.diagnostics) }
    return resolve(settings, base: base ?? .file(name), problems)
  }

  /// Returns the settings in a document. A document of unknown kind is read as authflow settings.
  private func read(_ root: Node, kind: AppRegistrationKind, _ problems: inout DiagnosticCollector) -> AppSettings {
    var ownProblems = DiagnosticCollector()
    defer {
      // Missing keys are checked after all overlays are applied.
      problems.add(contentsOf: ownProblems.diagnostics.filter { $0.rule != "missing-key" })
    }
    switch kind {
    case .androidConfig:
      var config = AndroidConfig()
      _ = AndroidConfig.fields(filling: definitions).read(root, into: &config, &ownProblems)
      return config.settings(&ownProblems)
    case .appsettings:
      return AzureAdSection.readFirst(root, filling: definitions, &ownProblems)?.settings(&ownProblems) ?? AppSettings()
    case .msalJS: return MSALJSConfig.read(root, &ownProblems).settings()
    case .authSettings, .unknown:
      var settings = AppSettings()
      guard root.kind == .mapping else {
        ownProblems.error(
          "not-settings", "expected a mapping with app registration settings, found \(root.typeName)",
          help: "start with `AppId: <client ID>`", at: root)
        return settings
      }
      _ = AppSettings.fields(filling: definitions).read(root, into: &settings, &ownProblems)
      return settings
    default:
      ownProblems.error(
        "not-settings", "expected app registration settings, found \(kind.description)",
        help: "pass a file with `AppId`, an MSAL Android configuration, or appsettings with an `AzureAd` section",
        at: root)
      return AppSettings()
    }
  }

  private func resolve(_ settings: AppSettings, base: FileSpan, _ problems: DiagnosticCollector) -> LoadedSettings {
    var settings = settings
    if acceptsLoopbackRedirect, settings.bypassRedirectURIValidation == nil, let redirect = settings.redirectURI,
      let parts = URLReference(valid: redirect.value), parts.scheme?.lowercased() == "http", parts.isLoopback
    {
      settings.bypassRedirectURIValidation = Positioned(true, at: redirect.place)
    }
    if settings.platform == nil { settings.platform = project.platform }
    let hasInfoPlist = settings.infoPlist != nil || settings.infoPlistContents != nil
    let projectInfoPlist = hasInfoPlist ? nil : project.infoPlist.map { Positioned($0, at: base) }
    if settings.bundleID == nil, !hasInfoPlist, settings.redirectURI == nil, settings.redirectScheme == nil {
      settings.bundleID = project.bundleID
    }
    var resolution = SettingsResolution(settings: settings, base: base, problems: problems)
    resolution.acceptsPlaceholderAppID = acceptsPlaceholderAppID
    let values = settings.bundleID.map { ["PRODUCT_BUNDLE_IDENTIFIER": $0.value] } ?? [:]
    if let contents = settings.infoPlistContents {
      resolution.infoPlist = InfoPlist.read(contents, filling: definitions.or(values), &resolution.problems)
    } else if let path = settings.infoPlist ?? projectInfoPlist {
      resolution.infoPlist = infoPlist(path, definitions.or(values), base: base, &resolution.problems)
    }
    return resolution.finish()
  }

  private func infoPlist(
    _ path: Positioned<String>, _ definitions: Definitions, base: FileSpan, _ problems: inout DiagnosticCollector
  ) -> InfoPlist? {
    guard !Definitions.containsReference(path.value) else { return nil }
    let name = Self.path(path.value, relativeTo: path.place.source.name)
    let file = RegistrationDocument.read(name, load: load)
    for var diagnostic in file.diagnostics {
      // If the settings do not refer to the file, there is no location to add.
      if path.place.span != base.span { diagnostic.related.append(.init("referenced here", at: path.place)) }
      problems.add(diagnostic)
    }
    guard let root = file.document?.root else { return nil }
    guard file.kind == .infoPlist else {
      problems.add(
        Diagnostic(
          .error, rule: "not-info-plist", "expected an Info.plist in `\(name)`, found \(file.kind.description)",
          at: path.place))
      return nil
    }
    return InfoPlist.read(root, filling: definitions, &problems)
  }

  /// Resolves a path in a file relative to the file's folder.
  package static func path(_ path: String, relativeTo file: String) -> String {
    FilePath.join(FilePath.folder(of: file), path)
  }
}
