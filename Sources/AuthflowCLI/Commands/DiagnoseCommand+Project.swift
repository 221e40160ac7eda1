import AppRegistration
import Diagnosis
import Diagnostics
import Documents
import Effects
import IdentityPlatform
import Validation
import WorkflowModel

/// The comparison of a diagnosis with the app's own files.
struct DiagnosedProject {
  /// The findings in the project that are related to the diagnosis.
  private(set) var report: FilteredReport
  /// The locations in the project that are related to the cause.
  private(set) var places: [ProjectPlace]

  /// The maximum size in bytes of an HTTP archive without its responses.
  private static let archiveLimit = 64 << 20

  /// Validates the files of a folder and compares them with the requests in HTTP archives.
  /// - Parameter archives: The inputs that can be HTTP archives.
  /// - Throws: `.usageError` if the folder cannot be read, or if an archive is too large.
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
    let project = report.project
    // If the cause is not determined, show the locations for the first candidate.
    let cause = diagnosis.main.flatMap { $0.cause ?? $0.candidates.first?.cause }
    places = cause.map { ProjectPlace.places(of: $0, in: project) } ?? []
    report.diagnostics.removeAll { !rules.contains($0.rule) }
    report.suppressed = []
    for archive in archives where archive != "-" {
      guard let requests = try Self.requests(in: archive, session) else { continue }
      report.diagnostics += DriftCheck.findings(requests, declared: declared)
    }
  }

  /// Returns the requests in an HTTP archive, or nil if the file is not an HTTP archive.
  private static func requests(in archive: String, _ session: Session) throws(ExitStatus) -> [TrafficRequest]? {
    var reducer = ArchiveReducer(limit: archiveLimit)
    do throws(FileFailure) {
      try session.world.files.readPieces(of: archive) { piece in reducer.add(piece) && !Task.isCancelled }
    } catch {
      throw session.report(.usageError, error.explanation)
    }
    reducer.finish()
    guard reducer.isArchive || reducer.exceedsLimit else { return nil }
    guard !reducer.exceedsLimit else {
      throw session.report(
        .usageError, "\(CaretFrame.visible(archive)) contains more than \(archiveLimit >> 20) MiB of requests",
        help:
          "filter the archive, for example with `jq '.log.entries |= map(select(.request.url | contains(\"login.\")))'`"
      )
    }
    let result = DocumentReader.read(
      reducer.bytes, named: archive, options: ReadingOptions(syntax: .json))
    return result.document.flatMap(Traffic.requests)
  }

  // MARK: Declared values

  /// Returns the values that settings, app manifests, and workflows declare, except placeholders.
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
        if let authority = loaded.resolved?.authority, let url = URLReference(valid: authority.url),
          let host = url.host,
          let tenant = url.segments.first, let place = loaded.settings.authority?.place
        {
          declared.authorities.append(("\(host)/\(tenant)", place))
        }
      }
      for manifest in file.appManifests {
        add(manifest.appID, to: \.clientIDs)
        for redirect in manifest.redirects { add(redirect.uri, to: \.redirectURIs) }
      }
      if let workflow = file.workflow { addRequests(of: workflow, project.settings(of: file), to: &declared) }
    }
    return declared
  }

  /// Adds the scopes and prompts of a workflow's steps. A step without scopes requests the scopes in the settings.
  private static func addRequests(
    of workflow: Workflow, _ settings: [LoadedSettings], to declared: inout DeclaredRegistration
  ) {
    for step in (workflow.steps + workflow.finally).flatMap(\.withMembers) {
      guard let token = step.action.token else { continue }
      if let scopes = token.scopes {
        for scope in scopes.literal ?? [] {
          if let place = scopes.place { declared.workflowScopes.append((scope, place)) }
        }
      } else {
        for scope in settings.flatMap({ $0.settings.scopes?.value ?? [] }) {
          declared.workflowScopes.append((scope.value, scope.place))
        }
      }
      guard case .interactive(let interactive) = step.action else { continue }
      declared.workflowSignIns.append(step.place)
      if let prompt = interactive.prompt?.literal?.parameter, let place = interactive.prompt?.place {
        declared.workflowPrompts.append((prompt, place))
      }
    }
  }
}

extension Interactive.Prompt {
  /// The value of `prompt` in the authorization request, or nil if the request does not contain this parameter.
  fileprivate var parameter: String? {
    switch self {
    case .selectAccount: "select_account"
    case .login: "login"
    case .consent: "consent"
    case .create: "create"
    case .never: "none"
    default: nil
    }
  }
}
