@testable import AuthflowCLI
import Effects
import Foundation
import SimulatedWorld
import TestSupport
import Testing

/// One command line in a simulated world, and what came out of it: a test reads as a terminal session.
struct TerminalSession {
  let simulation: Simulation

  /// - Parameters:
  ///   - files: path → text, in the working directory `/home/dev/app`.
  ///   - shipped: whether the project's own `Workflows` folder is there too.
  init(files: [String: String] = [:], shipped: Bool = false, seed: String = "cli", variables: [String: String] = [:]) throws {
    var all = files.mapValues { Array($0.utf8) }
    if shipped {
      let folder = Corpus.projectDirectory.appending(path: "Workflows")
      for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
        all["Workflows/" + file.lastPathComponent] = try Corpus.bytes(file)
      }
    }
    simulation = Simulation(
      seed: seed, files: MemoryFileSystem(all, workingDirectory: "/home/dev/app"),
      environment: ["HOME": "/home/dev"].merging(variables) { $1 }, workingDirectory: "/home/dev/app")
  }

  struct Result {
    var status: ExitStatus
    var output: String
    var error: String
  }

  func run(_ arguments: String...) async throws -> Result {
    let before = simulation.console.writings.count
    let world = simulation.world
    let status = try await simulation.run { await FrontDoor.run(arguments, in: world) }
    let writings = simulation.console.writings[before...]
    func text(_ stream: ConsoleStream) -> String {
      String(decoding: writings.filter { $0.stream == stream }.flatMap(\.bytes), as: UTF8.self)
    }
    return Result(status: status, output: text(.output), error: text(.error))
  }
}
