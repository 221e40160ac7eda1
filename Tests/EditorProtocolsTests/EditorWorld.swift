import Effects
import SimulatedWorld

/// Environments for servers in tests.
enum EditorWorld {
  /// An environment without files.
  static var empty: World {
    var world = Simulation(seed: "editor", environment: [:], workingDirectory: "/", grants: Grants()).world
    world.files = MemoryFileSystem(workingDirectory: "/")
    return world
  }
}
