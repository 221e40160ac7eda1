import AppRegistration
import Diagnosis
import Diagnostics
import Documents
import Effects
import IdentityPlatform
import Validation

/// The comparison of a diagnosis with the app's own files.
struct DiagnosedProject {
  /// The findings about the project that belong to the diagnosis.
  private(set) var report: FilteredReport

  /// Validates the files of a folder and compares them with the requests in HTTP archives.
  /// - Parameter archives: The inputs that can be HTTP archives.
  /// - Throws: `.usageError` if the folder cannot be read.
  init(folder: String, archives: [String], diagnosis: DiagnosisResult, in session: Session) throws(ExitStatus) {
    let configurations = try session.validationConfigurations(for: [folder], named: nil)
    let search = try session.searchProject([folder], configurations)
    let validator = ProjectValidator(
      definitions: configurations.definitions, now: session.world.clock.now.secondsSince1970,
      load: session.load(inputs: [folder]))
    let configured = ConfiguredValidator(
      validator: validator, configurations: search.configurations, all: configurations.all,
      workingDirectory: session.world.environment.workingDirectory, searched: search.searched)
    report = configured.check(search.files)
    let rules = Set(diagnosis.main?.candidates.flatMap(\.cause.rules) ?? [])
    let declared = Self.declared(in: report.project)
    report.diagnostics.removeAll { !rules.contains($0.rule) }
    report.suppressed = []
    for archive in archives where archive != "-" {
      let result = DocumentReader.read(
        try session.read(archive), named: archive, options: ReadingOptions(syntax: .json))
      guard let document = result.document, let requests = Traffic.requests(in: document) else { continue }
      report.diagnostics += DriftCheck.findings(requests, declared: declared)
    }
  }

  /// The values that settings and app manifests declare. Placeholders are not compared.
  private static func declared(in project: Project) -> DeclaredRegistration {
    var declared = DeclaredRegistration()
    func add(
      _ value: Positioned<String>?,
      to list: WritableKeyPath<DeclaredRegistration, [(value: String, place: FileSpan)]>
    ) {
      guard let value, !value.value.isEmpty, !AppManifest.isToBeFilledIn(value.value) else { return }
      declared[keyPath: list].append((value.value, value.place))
    }
    for file in project.files {
      for loaded in file.loadedSettings {
        add(loaded.settings.appID, to: \.clientIDs)
        add(loaded.settings.redirectURI, to: \.redirectURIs)
        for scope in loaded.settings.scopes?.value ?? [] { add(scope, to: \.scopes) }
        if let authority = loaded.resolved?.authority, let url = URLParts(authority.url), let host = url.host,
          let tenant = url.segments.first, let place = loaded.settings.authority?.place
        {
          declared.authorities.append(("\(host)/\(tenant)", place))
        }
      }
      for manifest in file.appManifests {
        add(manifest.appID, to: \.clientIDs)
        for redirect in manifest.redirects { add(redirect.uri, to: \.redirectURIs) }
      }
    }
    return declared
  }
}
