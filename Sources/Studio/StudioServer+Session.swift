import Debugging
import Diagnostics
import Documents
import Effects
import HTTPTypes
import LanguageService
import OAuth
import Reports
import Scenarios
import UserSimulation
import WorkflowModel
import WorkflowRunner

// The run that the user controls.

extension StudioServer {
  /// Responds to requests for paths under `/api/session`.
  func session(_ path: Substring, _ body: JSON) async throws(StudioError) -> JSON {
    if path == "/start" { return try await startSession(body) }
    guard let session = currentSession else { throw StudioError(.conflict, "no run has started") }
    switch path {
    case "/command":
      let command = try Self.text("command", in: body)
      try await Self.debugging { () async throws(DebugFailure) in try await session.advance(command) }
    case "/simulate":
      let event = try Self.text("event", in: body)
      try await Self.debugging { () async throws(DebugFailure) in try await session.simulate(event) }
    case "/value":
      let expression = try Self.text("expression", in: body)
      let value = try await Self.debugging { () async throws(DebugFailure) in try session.value(of: expression) }
      return ["value": value]
    case "/breakpoints": session.set(breakpoints: Self.names("breakpoints", in: body))
    case "/close-page": try await answer(.close, in: session)
    case "/complete-page": try await answer(.delegate, in: session)
    default: throw StudioError(.notFound, "no resource `\(path.prefix(100))`")
    }
    return await json(of: session)
  }

  /// Applies the user's action to the open page.
  private func answer(_ action: PersonAction, in session: StudioSession) async throws(StudioError) {
    guard let page = session.page, await session.answer(page.number, action) else {
      throw StudioError("no page is open")
    }
  }

  private static func debugging<Value>(
    _ work: () async throws(DebugFailure) -> Value
  ) async throws(StudioError) -> Value {
    do throws(DebugFailure) {
      return try await work()
    } catch {
      throw StudioError(error.message)
    }
  }

  private static func names(_ name: String, in body: JSON) -> [String] {
    (body[name]?.array ?? []).compactMap(\.string)
  }

  private func startSession(_ body: JSON) async throws(StudioError) -> JSON {
    let program = try program(body)
    let session = StudioSession(
      program, personSignsIn: body["signIn"]?.bool ?? false, world: world, tool: tool)
    replaceSession(session)
    await session.start(
      stopsOnEntry: body["stopOnEntry"]?.bool ?? true, breakpoints: Self.names("breakpoints", in: body))
    return await json(of: session)
  }

  /// Returns the program for a request: a lesson demonstration, a saved scenario, or an unsaved scenario.
  private func program(_ body: JSON) throws(StudioError) -> DebugProgram {
    if body["lesson"] != nil { return try demonstration(body) }
    let path = try Self.text("path", in: body)
    let name = body["scenario"]?.string
    let snapshot = try name == nil ? scratchSnapshot(body) : workspace.snapshot()
    let (loaded, diagnostics) = snapshot.loadWorkflow(path)
    guard let loaded, !diagnostics.hasErrors else {
      throw StudioError(diagnostics.first { $0.severity == .error }?.message ?? "cannot read the workflow")
    }
    let wanted = name ?? Self.scratchName
    guard let test = loaded.firstCase(of: wanted) else {
      throw StudioError(.notFound, "no scenario `\(wanted.prefix(200))`")
    }
    return DebugProgram(test, hasScenario: name != nil)
  }

  /// Returns the state of a run for the page.
  func json(of session: StudioSession?) async -> JSON {
    guard let session else { return ["status": .string(StudioSession.Status.idle.rawValue)] }
    let emulator = await session.platformState()
    let view = session.view
    var json: JSON = [
      "status": .string(view.status.rawValue),
      "simulated": .array(
        view.simulated.map { ["step": $0.step.map { .string($0) } ?? .null, "event": $0.event] }),
    ]
    if let stop = view.stop {
      json["at"] = .string(stop.description)
      json["reason"] = .string(stop.reason.rawValue)
      if let frame = stop.run.frames.first { json["step"] = .string(frame.id) }
      if let place = stop.place, place.span != nil {
        json["file"] = .string(place.source.name)
        json["line"] = .integer(Int64(place.start.line))
      }
      json["scopes"] = .array(
        stop.scopes(of: stop.run.frames.last, emulator: emulator).map { ["name": .string($0.name), "value": $0.value] })
    }
    if let page = view.page {
      json["page"] = [
        "number": .integer(Int64(page.number)), "title": .string(page.page.title), "url": .string(page.page.url),
      ]
    }
    if let result = view.result {
      json["passed"] = .bool(result.verdict == .passed)
      json["failures"] = .array(result.failureMessages.map { .string($0) })
    }
    if let rendering = session.rendering(render) {
      json["path"] = .array((rendering.path ?? view.stop?.run.path ?? []).map { .string($0) })
      for (name, value) in [
        ("machine", rendering.machine), ("report", rendering.report), ("outcome", rendering.outcome),
      ] {
        if let value { json[name] = .string(value) }
      }
    }
    return json
  }

  private func render(_ run: TracedRun, _ hasReport: Bool) -> StudioSession.Rendering {
    let page = RunPage(tracedRun: run)
    return StudioSession.Rendering(
      path: run.ending?.path, machine: page.machineFigure?.svg, outcome: page.outcome,
      report: hasReport ? keep(page.html()) : nil)
  }

  // MARK: Sign-in pages

  /// The path prefix of the sign-in pages.
  static let signInPath = "/sign-in/"

  /// Responds to the frame's request with the sign-in page.
  func signIn(_ request: RequestMessage, _ url: URLReference) async -> ResponseMessage {
    guard let session = currentSession else { return Self.signInPage(nil) }
    let number = Int(url.path.dropFirst(Self.signInPath.count))
    var action: PersonAction?
    if request.head.method == .post {
      action = .submit(FormCoding.parse(body: request.body))
    } else if let link = url.parameters[InteractivePage.linkParameter].flatMap({ Int($0) }) {
      action = .follow(link)
    }
    if let number, let action {
      _ = await session.answer(number, action)
    } else if number != nil, number == session.page?.number {
      return Self.signInPage(session.page)
    }
    let location = Self.signInPath + (session.page.map { "\($0.number)" } ?? "")
    if url.path == location { return Self.signInPage(session.page) }
    return Self.response(.seeOther, "", type: "text/plain", [.location: location])
  }

  private static func signInPage(_ page: StudioSession.WaitingPage?) -> ResponseMessage {
    let policy = [
      "default-src 'none'", "style-src 'unsafe-inline'", "base-uri 'none'", "form-action 'self'",
      "frame-ancestors 'self'",
    ].joined(separator: "; ")
    let body = page?.page.markup ?? "<body><p>No sign-in page is open.</p></body>"
    let style = page?.page.style ?? "body{font:16px/1.5 system-ui,sans-serif;margin:2rem}"
    let html = """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark"><title>\((page?.page.title ?? "Sign-in").escapedForMarkup)</title>
      <style>\(style.replacing("</", with: ""))</style></head>
      \(body)
      </html>
      """
    // With the `no-referrer` policy, browsers would submit forms with the origin `null`.
    return response(.ok, html, type: "text/html", [:], policy: policy, referrer: "same-origin")
  }
}
