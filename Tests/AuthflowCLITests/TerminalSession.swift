import AuthflowCLI
import Effects
import SimulatedWorld
import TestSupport
import Testing

/// Distinguishes this type from `ExitStatus` in `Testing`.
typealias ExitStatus = AuthflowCLI.ExitStatus

/// Runs commands in a simulated environment. The files persist between commands.
struct TerminalSession {
  static let home = "/home/dev"
  static let workingDirectory = "/home/dev/app"

  let simulation: Simulation

  /// - Parameters:
  /// - files: File contents by path. Relative paths are relative to the working directory, `/home/dev/app`.
  ///   - bytes: Binary files by path.
  ///   - shipped: Whether the `Workflows` folder of the project exists.
  ///   - http: The transport for requests to live services. By default, all requests fail.
  ///   - console: The console, which determines the input, the terminals, and the width.
  init(
    files: [String: String] = [:], bytes: [String: [UInt8]] = [:], shipped: Bool = false, seed: String = "cli",
    variables: [String: String] = [:], http: any HTTPTransport = StubTransport.unreachable(),
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

  /// The folder for saved state.
  static let state = home + "/.local/state/authflow"

  func run(_ arguments: String...) async throws -> Result { try await run(arguments) }

  func run(_ arguments: [String]) async throws -> Result {
    let writingsBefore = simulation.console.writings.count
    let world = simulation.world
    let status = try await simulation.run { await CommandLineTool.run(arguments, in: world) }
    let writings = simulation.console.writings[writingsBefore...]
    func text(_ stream: ConsoleStream) -> String {
      String(decoding: writings.filter { $0.stream == stream }.flatMap(\.bytes), as: UTF8.self)
    }
    return Result(status: status, output: text(.output), error: text(.error))
  }

  /// Returns files: settings in `S.yaml`, and a workflow with the steps in `w.yaml`.
  /// - Parameter more: Additional lines of the workflow.
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
