import AuthflowCLI
import Effects
import SimulatedWorld
import TestSupport
import Testing

/// Testing has a type of that name too.
typealias ExitStatus = AuthflowCLI.ExitStatus

/// Command lines in a simulated world, and what came out of each: a test reads as a terminal session.
struct TerminalSession {
  static let home = "/home/dev"
  static let workingDirectory = "/home/dev/app"

  let simulation: Simulation

  /// - Parameters:
  ///   - files: path → text, in the working directory `/home/dev/app`.
  ///   - bytes: the same for what is no text.
  ///   - shipped: whether the project's own `Workflows` folder is there too.
  ///   - http: who answers requests that leave the process; nobody unless said.
  ///   - console: who watches, and how wide the terminal is.
  init(
    files: [String: String] = [:], bytes: [String: [UInt8]] = [:], shipped: Bool = false, seed: String = "cli",
    variables: [String: String] = [:], http: any HTTPTransport = StubTransport.nobody(),
    programs: StubProgramLauncher = StubProgramLauncher(),
    console: BufferedConsole = BufferedConsole()
  ) throws {
    var all = files.mapValues { Array($0.utf8) }.merging(bytes) { $1 }
    if shipped {
      for name in try ProjectFiles.files(in: "Workflows") {
        all["Workflows/" + name] = try ProjectFiles.bytes(of: "Workflows/\(name)")
      }
    }
    simulation = Simulation(
      seed: seed, http: http, programs: programs, files: MemoryFileSystem(all, workingDirectory: Self.workingDirectory),
      console: console,
      environment: ["HOME": Self.home].merging(variables) { $1 }, workingDirectory: Self.workingDirectory)
  }

  struct Result: Sendable {
    var status: ExitStatus
    var output: String
    var error: String
  }

  var files: MemoryFileSystem { simulation.files }

  /// Where plain runs keep what outlives them.
  static let state = home + "/.local/state/authflow"

  func run(_ arguments: String...) async throws -> Result { try await run(arguments) }

  func run(_ arguments: [String]) async throws -> Result {
    let before = simulation.console.writings.count
    let world = simulation.world
    let status = try await simulation.run { await CommandLineTool.run(arguments, in: world) }
    let writings = simulation.console.writings[before...]
    func text(_ stream: ConsoleStream) -> String {
      String(decoding: writings.filter { $0.stream == stream }.flatMap(\.bytes), as: UTF8.self)
    }
    return Result(status: status, output: text(.output), error: text(.error))
  }

  /// Settings and a workflow of these steps; what most command lines are about.
  static func files(
    steps: String, settings: String = plainSettings, _ more: String = ""
  ) -> [String: String] {
    let indented = steps.split(separator: "\n").map { "  \($0)\n" }.joined()
    return ["S.yaml": settings, "w.yaml": "authflow: 1\nsettings: S.yaml\n\(more)steps:\n\(indented)"]
  }

  static let plainSettings = """
    AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
    GraphScopes: [User.Read]
    BundleId: com.contoso.graphtutorial

    """
}
