import Diagnostics
import Documents
import IdentityPlatform

/// Reads a document by its path, with whatever is wrong as diagnostics; a file that is not there is a diagnostic too.
package typealias DocumentLoader = @Sendable (_ path: String, _ options: ReadingOptions) -> ReadResult

/// One of the documents or mappings that settings are put together from.
package enum SettingsLayer: Sendable {
  case document(RegistrationDocument)
  /// Inside another document, whose reading has been told elsewhere.
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

/// Where another document says that settings stand.
package enum SettingsSource: Sendable {
  /// A file, beside that document.
  case file(Positioned<String>)
  /// In place.
  case inline(Node)
}

/// Loads settings from the files or mappings that hold them.
package struct SettingsLoader: Sendable {
  /// Values for `$(NAME)` and `${NAME}`.
  package var definitions: Definitions
  /// Reads files; paths are seen from the same folder as the names of the files that name them.
  package var load: DocumentLoader
  /// Whose own values are laid over each file that another document names, from a file beside it: see `SettingsOverlay`.
  package var environment: String?
  /// Whether a loopback redirect URI needs no `BypassRedirectURIValidation`.
  ///
  /// The system browser returns to a loopback address (RFC 8252 section 7.3). MSAL for Apple platforms rejects it.
  package var acceptsLoopbackRedirect = false
  /// Whether a placeholder in place of the client id is a warning: the emulator needs no app registration.
  package var acceptsPlaceholderAppID = false
  /// What other files of the project contain, for keys that the settings do not have.
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

  /// Loads a file.
  /// - Parameter overlays: paths of further files, each laid over what stands before it.
  package func load(_ path: String, overlays: [String] = []) -> LoadedSettings {
    load(([path] + overlays).map { .document(RegistrationDocument.read($0, load: load)) }, named: path)
  }

  /// Loads a file whose bytes are at hand, and others over it.
  package func load(
    _ bytes: [UInt8], named name: String, overlays: [(name: String, bytes: [UInt8])] = []
  ) -> LoadedSettings {
    let files = [(name: name, bytes: bytes)] + overlays
    return load(files.map { .document(RegistrationDocument.read($0.bytes, named: $0.name)) }, named: name)
  }

  /// Loads settings that stand inside another document.
  package func load(_ node: Node) -> LoadedSettings { load([.node(node)], named: node.document.source.name) }

  /// Loads what another document names, one thing after the other: a mapping is laid over what stands before it, a file
  /// replaces it.
  ///
  /// Files are looked for beside the document that names them: a workflow, or a scenarios file.
  /// - Parameter document: the name of the first document.
  package func load(_ sources: [SettingsSource], besides document: String) -> LoadedSettings {
    let base = sources.lastIndex { if case .file = $0 { true } else { false } } ?? 0
    var layers: [SettingsLayer] = []
    var title = document
    for source in sources[base...] {
      switch source {
      case .inline(let node): layers.append(.node(node))
      case .file(let file):
        title = Self.path(file.value, besides: file.place.source.name)
        layers.append(.document(read(title, namedAt: file.place)))
        if let environment {
          let overlay = SettingsOverlay.path(over: title, environment: environment)
          let help = "the environment \(environment) was asked for; write there what differs from \(title)"
          layers.append(.document(read(overlay, namedAt: file.place, help: help)))
        }
      }
    }
    return load(layers, named: title)
  }

  /// Reads a file that another document names: what cannot be said about a place in it is said where it is named.
  private func read(_ path: String, namedAt place: FileSpan, help: String? = nil) -> RegistrationDocument {
    var read = RegistrationDocument.read(path, load: load)
    read.diagnostics.moveFileErrors(of: path, to: place, help: help)
    return read
  }

  /// Loads every section of appsettings by itself.
  /// - Returns: one result for each section, in the order of the text, and what reading the file had to say.
  package func loadSections(
    _ file: RegistrationDocument
  ) -> (sections: [(section: AzureAdSection, loaded: LoadedSettings)], diagnostics: [Diagnostic]) {
    guard let root = file.document?.root else { return ([], file.diagnostics) }
    let sections = AzureAdSection.readAll(root, filling: definitions).map { section, told in
      var problems = DiagnosticCollector()
      let settings = section.settings(&problems)
      for var diagnostic in told.diagnostics where diagnostic.rule != "missing-key" {
        // Apps read keys of their own from the same section.
        if diagnostic.rule == "unknown-key" { diagnostic.severity = .note }
        problems.add(diagnostic)
      }
      return (section, resolve(settings, base: section.node?.place ?? root.place, problems))
    }
    return (sections, file.diagnostics)
  }

  /// Loads layers, each laid over what stands before it.
  /// - Parameter name: what the whole is called where no layer could be read.
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
    // Of a file that could not be read nothing is missing: everything is.
    guard isReadable else { return LoadedSettings(settings: settings, diagnostics: problems.diagnostics) }
    return resolve(settings, base: base ?? .file(name), problems)
  }

  /// What a document of some kind says; the root is read as settings where it is of no other kind that holds any.
  private func read(_ root: Node, kind: AppRegistrationKind, _ problems: inout DiagnosticCollector) -> AppSettings {
    var own = DiagnosticCollector()
    defer {
      // Whether a required key is missing is asked after all overlays are in.
      problems.add(contentsOf: own.diagnostics.filter { $0.rule != "missing-key" })
    }
    switch kind {
    case .androidConfig:
      var config = AndroidConfig()
      _ = AndroidConfig.fields(filling: definitions).read(root, into: &config, &own)
      return config.settings(&own)
    case .appsettings:
      return AzureAdSection.readFirst(root, filling: definitions, &own)?.settings(&own) ?? AppSettings()
    case .msalJS: return MSALJSConfig.read(root, &own).settings()
    case .authSettings, .unknown:
      var settings = AppSettings()
      guard root.kind == .mapping else {
        own.error(
          "not-settings", "app registration settings are a mapping, this is \(root.typeName)",
          help: "begin with AppId: <client id>", at: root)
        return settings
      }
      _ = AppSettings.fields(filling: definitions).read(root, into: &settings, &own)
      return settings
    default:
      own.error(
        "not-settings", "this is \(kind.words), not app registration settings",
        help: "name a file that holds AppId, an MSAL Android configuration, or appsettings with an AzureAd section",
        at: root)
      return AppSettings()
    }
  }

  private func resolve(_ settings: AppSettings, base: FileSpan, _ problems: DiagnosticCollector) -> LoadedSettings {
    var settings = settings
    if acceptsLoopbackRedirect, settings.bypassRedirectURIValidation == nil, let redirect = settings.redirectURI,
      let parts = URLParts(redirect.value), parts.scheme?.lowercased() == "http", parts.isLoopback
    {
      settings.bypassRedirectURIValidation = Positioned(true, at: redirect.place)
    }
    if settings.platform == nil { settings.platform = project.platform }
    let beside = settings.infoPlist == nil ? project.infoPlist.map { Positioned($0, at: base) } : nil
    if settings.bundleID == nil, settings.infoPlist == nil, settings.redirectURI == nil, settings.redirectScheme == nil
    {
      settings.bundleID = project.bundleID
    }
    var resolution = SettingsResolution(settings: settings, base: base, problems: problems)
    resolution.acceptsPlaceholderAppID = acceptsPlaceholderAppID
    if let path = settings.infoPlist ?? beside {
      let known = settings.bundleID.map { ["PRODUCT_BUNDLE_IDENTIFIER": $0.value] } ?? [:]
      resolution.infoPlist = infoPlist(path, definitions.or(known), base: base, &resolution.problems)
    }
    return resolution.finish()
  }

  private func infoPlist(
    _ path: Positioned<String>, _ definitions: Definitions, base: FileSpan, _ problems: inout DiagnosticCollector
  ) -> InfoPlist? {
    guard !Definitions.holdsReference(path.value) else { return nil }
    let name = Self.path(path.value, besides: path.place.source.name)
    let file = RegistrationDocument.read(name, load: load)
    for var diagnostic in file.diagnostics {
      // Settings that do not name the file have no such place.
      if path.place.span != base.span { diagnostic.related.append(.init("the file is named here", at: path.place)) }
      problems.add(diagnostic)
    }
    guard let root = file.document?.root else { return nil }
    guard file.kind == .infoPlist else {
      problems.add(
        Diagnostic(.error, rule: "not-info-plist", "\(name) is \(file.kind.words), not an Info.plist", at: path.place))
      return nil
    }
    return InfoPlist.read(root, filling: definitions, &problems)
  }

  /// A path that stands in a file, seen from where that file's own name is seen.
  package static func path(_ path: String, besides file: String) -> String {
    FilePath.join(FilePath.folder(of: file), path)
  }
}
