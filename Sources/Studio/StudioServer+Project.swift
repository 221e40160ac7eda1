import AppRegistration
import Diagnostics
import Directory
import Documents
import Effects
import HTTPTypes
import LanguageService
import OAuth
import OrderedCollections
import Reports
import Scenarios
import Validation
import WorkflowModel
import WorkflowRunner

// The files in the folder.

extension StudioServer {
  func get(_ url: URLReference) async -> Result<JSON, StudioError>? {
    switch url.path {
    case "/api/project": return .success(project())
    case "/api/workflow":
      guard let path = url.parameters["path"] else { return .failure(StudioError("missing `path` parameter")) }
      return workflow(path)
    case "/api/events": return .success(Self.events)
    case "/api/emulator": return .success(emulatorJSON)
    case "/api/lessons": return .success(Self.lessons)
    case "/api/lesson": return lesson(url.parameters["name"] ?? "")
    case "/api/session": return .success(await json(of: currentSession))
    default: return nil
    }
  }

  /// Returns the files with their findings.
  private func project() -> JSON {
    workspace.filesChanged()
    let snapshot = workspace.snapshot()
    let report = snapshot.report
    let findings = report.diagnostics.filter { $0.severity > .note }
    let files = report.files.filter { $0.kind != .unknown }.map { file -> JSON in
      let own = findings.filter { $0.place.source.name == file.name }
      return [
        "name": .string(file.name), "kind": .string(file.kind.description), "isWorkflow": .bool(file.kind == .workflow),
        "errors": .integer(Int64(own.count { $0.severity == .error })),
        "warnings": .integer(Int64(own.count { $0.severity == .warning })),
      ]
    }
    return [
      "folder": .string(folder), "tool": .string(tool), "files": .array(files),
      "findings": .array(findings.prefix(500).map(Self.json)),
    ]
  }

  static func json(_ finding: Diagnostic) -> JSON {
    var json: JSON = [
      "file": .string(finding.place.source.name), "line": .integer(Int64(finding.place.start.line)),
      "severity": .string(finding.severity.rawValue), "rule": .string(finding.rule),
      "message": .string(finding.message),
    ]
    if let help = finding.help { json["help"] = .string(help) }
    return json
  }

  private func workflow(_ path: String) -> Result<JSON, StudioError> {
    let snapshot = workspace.snapshot()
    guard snapshot.document(at: path) != nil else {
      return .failure(StudioError(.notFound, "no file `\(path.prefix(200))` in the folder"))
    }
    let (loaded, diagnostics) = snapshot.loadWorkflow(path)
    guard let loaded else {
      return .success(["path": .string(path), "findings": .array(diagnostics.map(Self.json))])
    }
    let workflow = loaded.workflow
    let source = workflow.scenarioSource ?? workflow.document
    let scenarios = workflow.scenarios.map { scenario -> JSON in
      [
        "name": .string(scenario.name),
        "given": Self.list(Self.member("given", of: scenario, in: source)),
        "before": Self.member("before", of: scenario, in: source)?.object.map {
          .object($0.mapValues { Self.list($0) })
        } ?? [:],
      ]
    }
    return .success([
      "path": .string(path), "name": .string(workflow.name ?? path), "scenarioFile": .string(source.source.name),
      "revision": .string(Self.revision(of: source.source.bytes)),
      "machine": .string(DiagramFigure(DiagramWalk(MachineDiagram(workflow)), links: [:], end: nil).svg),
      "text": .string(String(decoding: workflow.document.source.bytes, as: UTF8.self)),
      "scenarios": .array(scenarios),
      "findings": .array(diagnostics.filter { $0.severity > .note }.map(Self.json)),
    ])
  }

  /// Returns a member of a scenario as it appears in the source.
  private static func member(_ name: String, of scenario: Scenario, in source: Document) -> JSON? {
    source.scenario(named: scenario.name)?[name]?.json
  }

  /// Returns the events as a list. A single event becomes a list with one element.
  private static func list(_ events: JSON?) -> JSON {
    guard let events, events != .null else { return [] }
    return events.array == nil ? [events] : events
  }

  /// Returns a hash of a file's contents, which identifies this version of the file.
  static func revision(of bytes: [UInt8]) -> String { Thumbprint.sha256(bytes) }
}
