import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import LanguageService
import OAuth
import OrderedCollections
import Reports
import Synchronization

/// The server of `authflow studio`.
package final class StudioServer: Sendable {
  private struct State {
    /// The reports of the latest runs, by number.
    var reports: OrderedDictionary<Int, String> = [:]
    var lastReport = 0
    /// The run that the user controls.
    var session: StudioSession?
    /// The path and query of the link, until a browser opens it.
    var link: String?
    /// The scheme and authority of the attached emulator.
    var emulator: String?
    var isStartingEmulator = false
  }

  /// The maximum number of reports in memory.
  private static let maximumReports = 16

  let workspace: Workspace
  /// The workspace's folder with unsaved scenarios added.
  let scratch: Workspace
  let world: World
  let folder: String
  let tool: String
  /// A closure that starts an emulator, or nil if the studio cannot start one.
  let starter: EmulatorStarter?
  private let port: Int
  private let access = PageAccess(cookie: "authflow-studio", path: "/")
  private let state = Mutex(State())

  /// - Parameters:
  ///   - folder: The absolute path of the folder.
  ///   - port: The port on which the server listens.
  ///   - world: The environment. Its file system must allow changes in the folder.
  ///   - tool: The name and version of the program.
  ///   - emulator: The scheme and authority of an emulator that the studio shows, or nil.
  ///   - starter: A closure that starts an emulator for the studio to show, or nil if the studio cannot start one.
  package init(
    folder: String, port: Int, world: World, tool: String, emulator: String? = nil, starter: EmulatorStarter? = nil
  ) {
    self.folder = folder
    self.port = port
    self.starter = starter
    self.world = world
    self.tool = tool
    workspace = Workspace(folder: folder, in: world)
    scratch = Workspace(folder: folder, in: world)
    let link = access.newLink(world.randomness)
    state.withLock { state in
      state.link = link
      state.emulator = emulator
    }
  }

  /// The path and query of the link for the first browser, or nil after it was opened.
  package var linkPath: String? { state.withLock { $0.link } }

  /// The scheme and authority of the attached emulator, or nil.
  var emulator: String? { state.withLock { $0.emulator } }

  /// Prevents other requests from attaching an emulator while one is starting.
  /// - Returns: Whether the caller can start an emulator. False if an emulator is attached or starting.
  func beginAttachment() -> Bool {
    state.withLock { state in
      guard state.emulator == nil, !state.isStartingEmulator else { return false }
      state.isStartingEmulator = true
      return true
    }
  }

  /// Attaches the emulator that was starting, or accepts a new attempt if the argument is nil.
  func endAttachment(_ emulator: String?) {
    state.withLock { state in
      state.isStartingEmulator = false
      state.emulator = emulator
    }
  }

  /// Responds to a request from a client on this machine.
  package func respond(to request: RequestMessage) async -> ResponseMessage {
    let url = URLReference(request.url)
    guard isLocal(request) else { return Self.refusal("use the address that `authflow studio` printed") }
    guard PageAccess.isFromOwnPage(request, allowsAddressBar: true) else {
      return Self.refusal("only the studio's own page can send requests")
    }
    if request.head.method == .get, url.path == "/", let token = url.parameters[PageAccess.parameter] {
      guard let cookie = access.exchange(token, in: request, world.randomness) else {
        return Self.refusal("the link was already opened; start `authflow studio` again for a new link")
      }
      state.withLock { $0.link = nil }
      return Self.response(.seeOther, "", type: "text/plain", [.location: "/", .setCookie: cookie])
    }
    guard access.hasCookie(request) else {
      return Self.refusal("in this browser, open the link that `authflow studio` printed")
    }
    if url.path.hasPrefix(Self.controlPath) { return await control(request) }
    if url.path.hasPrefix(Self.signInPath), [.get, .post].contains(request.head.method) {
      return await signIn(request, url)
    }
    if request.head.method == .get {
      if let page = page(at: url.path) { return page }
      return answer(await get(url), orNil: "no page `\(url.path.prefix(100))`")
    }
    guard request.head.method == .post else {
      return Self.problem(.methodNotAllowed, "`\(request.head.method.rawValue)` is not supported")
    }
    guard request.head.headerFields[.contentType]?.lowercased().hasPrefix("application/json") == true else {
      return Self.problem(.unsupportedMediaType, "the body must be application/json")
    }
    guard let body = try? JSON(parsing: request.body), body.object != nil else {
      return Self.problem(.badRequest, "the body is not a JSON object")
    }
    return answer(await post(url.path, body), orNil: "no resource `\(url.path.prefix(100))`")
  }

  /// Whether the request uses a local name for this server. A website can make its own host name resolve to this
  /// machine (DNS rebinding).
  private func isLocal(_ request: RequestMessage) -> Bool {
    guard let authority = request.head.authority?.lowercased() else { return false }
    return ["127.0.0.1", "localhost", "[::1]"].contains { authority == "\($0):\(port)" }
  }

  private func answer(_ result: Result<JSON, StudioError>?, orNil missing: String) -> ResponseMessage {
    switch result {
    case .success(let json): Self.response(.ok, json.text(sortedKeys: false), type: "application/json", [:])
    case .failure(let error): Self.problem(error.status, error.message)
    case nil: Self.problem(.notFound, missing)
    }
  }

  // MARK: Pages

  private func page(at path: String) -> ResponseMessage? {
    let types = ["html": "text/html", "css": "text/css", "js": "text/javascript"]
    let name = path == "/" ? "index.html" : String(path.dropFirst())
    if let type = types[String(name.split(separator: ".").last ?? "")], let text = EmbeddedData.text(name) {
      return Self.response(.ok, text, type: type, [:])
    }
    if let page = emulatorPage(at: path) { return page }
    if path == "/drawing.css" { return Self.response(.ok, PageFrame.style.text, type: "text/css", [:]) }
    guard path.hasPrefix("/report/"), let number = Int(path.dropFirst("/report/".count)),
      let html = state.withLock({ $0.reports[number] })
    else { return nil }
    // The report contains a content security policy that allows only the report's own script.
    return Self.response(.ok, html, type: "text/html", [:], policy: "frame-ancestors 'self'")
  }

  var currentSession: StudioSession? { state.withLock { $0.session } }

  /// Makes a run the current run, and ends the previous run.
  func replaceSession(_ session: StudioSession) {
    let previous = state.withLock { state in
      let previous = state.session
      state.session = session
      return previous
    }
    previous?.end()
  }

  /// Keeps a report in memory.
  /// - Returns: The report's URL path.
  func keep(_ html: String) -> String {
    state.withLock { state in
      state.lastReport += 1
      state.reports[state.lastReport] = html
      if state.reports.count > Self.maximumReports { state.reports.removeFirst() }
      return "/report/\(state.lastReport)"
    }
  }

  // MARK: Responses

  static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
    "frame-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")

  static func response(
    _ status: HTTPResponse.Status, _ text: String, type: String, _ more: HTTPFields, policy: String = policy,
    referrer: String = "no-referrer"
  ) -> ResponseMessage {
    var fields: HTTPFields = [
      .contentType: "\(type); charset=utf-8", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
      .contentSecurityPolicy: policy,
    ]
    for (name, value) in [
      ("Referrer-Policy", referrer), ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Cross-Origin-Resource-Policy", "same-origin"),
      ("X-Frame-Options", policy == Self.policy ? "DENY" : "SAMEORIGIN"),
    ] {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    fields.append(contentsOf: more)
    return ResponseMessage(status, headers: fields, body: Array(text.utf8))
  }

  private static func refusal(_ reason: String) -> ResponseMessage {
    response(.forbidden, "authflow studio: \(reason)\n", type: "text/plain", [:])
  }

  private static func problem(_ status: HTTPResponse.Status, _ message: String) -> ResponseMessage {
    response(status, JSON.object(["error": .string(message)]).text(), type: "application/json", [:])
  }
}

/// The reason why a request failed.
struct StudioError: Error {
  var status: HTTPResponse.Status
  var message: String

  init(_ status: HTTPResponse.Status, _ message: String) {
    self.status = status
    self.message = message
  }

  init(_ message: String) { self.init(.badRequest, message) }
}
