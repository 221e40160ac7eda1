import Diagnostics
import Documents
import Effects
import HTTPTypes
import LanguageService
import OrderedCollections
import Reports
import Scenarios
import Trust
import WorkflowModel
import WorkflowRunner

// Runs, and scenarios that the user composes.

extension StudioServer {
  func post(_ path: String, _ body: JSON) async -> Result<JSON, StudioError>? {
    do throws(StudioError) {
      switch path {
      case "/api/run": return .success(try await run(body))
      case "/api/try": return .success(try await attempt(body))
      case "/api/save": return .success(try save(body))
      case "/api/directory": return .success(try await directory(body))
      case "/api/emulator/start": return .success(try await startEmulator(body))
      case "/api/exercise": return .success(try await checkExercise(body))
      case "/api/diagnose": return .success(try diagnose(body))
      default:
        guard path.hasPrefix("/api/session/") else { return nil }
        return .success(try await session(path.dropFirst("/api/session".count), body))
      }
    } catch {
      return .failure(error)
    }
  }

  static func text(_ name: String, in body: JSON) throws(StudioError) -> String {
    guard let text = body[name]?.string, !text.isEmpty else { throw StudioError("missing text `\(name)`") }
    return text
  }

  /// Runs a scenario, or the workflow itself.
  private func run(_ body: JSON) async throws(StudioError) -> JSON {
    let path = try Self.text("path", in: body)
    workspace.filesChanged()
    return await result(of: path, scenario: body["scenario"]?.string, in: workspace.snapshot())
  }

  private func result(of path: String, scenario: String?, in snapshot: WorkspaceSnapshot) async -> JSON {
    let (result, page) = await snapshot.reportPage(path, scenario: scenario, tool: tool)
    guard let outcome = result.outcomes.first else {
      return ["status": "error", "findings": .array(result.diagnostics.map(Self.json))]
    }
    var json: JSON = [
      "status": .string(outcome.status.rawValue), "path": .array(outcome.path.map { .string($0) }),
      "failures": .array(
        outcome.failures.map {
          ["message": .string($0.message), "line": .integer(Int64($0.place.start.line))]
        }),
    ]
    if let page {
      json["report"] = .string(keep(page.html()))
      json["outcome"] = .string(page.outcome ?? "")
      if let machine = page.machineFigure { json["machine"] = .string(machine.svg) }
    }
    return json
  }

  // MARK: Composed scenarios

  /// The placeholder name of an unsaved scenario.
  static let scratchName = "studio: not saved"

  /// Runs an unsaved scenario.
  private func attempt(_ body: JSON) async throws(StudioError) -> JSON {
    let snapshot = try scratchSnapshot(body)
    return await result(of: try Self.text("path", in: body), scenario: Self.scratchName, in: snapshot)
  }

  /// Returns a snapshot of the folder in which the file contains the composed scenario.
  func scratchSnapshot(_ body: JSON) throws(StudioError) -> WorkspaceSnapshot {
    let document = try source(of: try Self.text("path", in: body))
    let bytes = try Self.adding(try Self.scenario(in: body), named: Self.scratchName, to: document)
    scratch.filesChanged()
    scratch.open(
      OpenDocument(
        path: scratch.snapshot().path(of: document.source.name), text: String(decoding: bytes, as: UTF8.self),
        version: 1))
    return scratch.snapshot()
  }

  /// Saves a scenario in its file and preserves the rest of the file. `replace` updates an existing scenario.
  private func save(_ body: JSON) throws(StudioError) -> JSON {
    let path = try Self.text("path", in: body)
    let name = try Self.text("name", in: body)
    workspace.filesChanged()
    let document = try source(of: path)
    guard body["revision"]?.string == Self.revision(of: document.source.bytes) else {
      throw Self.changed(document)
    }
    let file = workspace.snapshot().path(of: document.source.name)
    let bytes: [UInt8]
    if body["replace"]?.bool == true {
      bytes = try replacing(name, with: body, in: document, file)
    } else {
      guard document.scenario(named: name) == nil else {
        throw StudioError(.conflict, "a scenario `\(name.prefix(100))` already exists")
      }
      bytes = try Self.adding(try Self.scenario(in: body), named: name, to: document)
    }
    do throws(FileFailure) {
      try world.files.replace(file, with: bytes, privately: false)
    } catch {
      throw StudioError(.internalServerError, "cannot write `\(document.source.name)`: \(error.explanation)")
    }
    workspace.filesChanged()
    return ["file": .string(document.source.name), "revision": .string(Self.revision(of: bytes))]
  }

  private static func changed(_ document: Document) -> StudioError {
    StudioError(
      .conflict,
      "`\(document.source.name)` changed on disk; the scenario was not saved. To load the changed file and keep "
        + "the setup, select `Reload files`.")
  }

  /// Returns the bytes of a file after replacing a scenario's events. If the request contains a path and an outcome,
  /// replaces these expectations too. Other expectations do not change.
  private func replacing(
    _ name: String, with body: JSON, in document: Document, _ file: String
  ) throws(StudioError) -> [UInt8] {
    guard let given = body["given"], given.array != nil else { throw StudioError("missing list `given`") }
    var members: [(key: String, value: JSON?)] = [
      ("given", given.array?.isEmpty == false ? given : nil),
      ("before", body["before"]?.object?.isEmpty == false ? body["before"] : nil),
    ]
    if let expected = body["expect"]?.object {
      var expect = document.scenario(named: name)?["expect"]?.json.object ?? [:]
      for (key, value) in expected { expect[key] = value }
      members.append(("expect", .object(expect)))
    }
    let original: [UInt8]
    do throws(FileFailure) {
      original = try world.files.read(file, limit: World.documentLimit)
    } catch {
      throw StudioError(.internalServerError, "cannot read `\(document.source.name)`: \(error.explanation)")
    }
    let edits: [Diagnostic.Edit]
    do throws(ScenarioReplacement.Failure) {
      edits = try ScenarioReplacement(of: name, in: document, members: members).edits()
    } catch {
      throw StudioError(error.message)
    }
    do throws(SpanEdits.Conflict) {
      return try SpanEdits.bytes(of: original, after: edits, in: document.source)
    } catch {
      guard error != .changed else { throw Self.changed(document) }
      throw StudioError("the scenario was not saved: \(error.reason)")
    }
  }

  /// Returns the document with the scenarios of a workflow.
  private func source(of path: String) throws(StudioError) -> Document {
    let (loaded, diagnostics) = workspace.snapshot().loadWorkflow(path)
    guard let loaded else {
      throw StudioError(
        diagnostics.first { $0.severity == .error }?.message ?? "`\(path.prefix(200))` is not a workflow")
    }
    return loaded.workflow.scenarioSource ?? loaded.workflow.document
  }

  private static func scenario(in body: JSON) throws(StudioError) -> JSON {
    guard let given = body["given"], given.array != nil else { throw StudioError("missing list `given`") }
    var scenario: JSON = [:]
    if given.array?.isEmpty == false { scenario["given"] = given }
    if let before = body["before"], before.object?.isEmpty == false { scenario["before"] = before }
    scenario["expect"] = body["expect"] ?? ["path": ["..."]]
    return scenario
  }

  private static func adding(_ scenario: JSON, named name: String, to document: Document) throws(StudioError) -> [UInt8]
  {
    do throws(DocumentWriteError) {
      return try MissingScenarios.append([(name, scenario)], to: document)
    } catch {
      throw StudioError("the format of `\(document.source.name)` cannot contain the scenario")
    }
  }
}
