import Foundation
import PackagePlugin

/// Runs authflow in the package's folder, for example with `swift package authflow validate .` or
/// `swift package authflow test Workflows`.
///
/// If authflow is installed, the plugin uses it. Otherwise, the plugin builds authflow, which takes a few minutes the
/// first time.
@main
struct AuthflowCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let process = Process()
    process.executableURL = try InstalledAuthflow.find() ?? build()
    process.arguments = arguments
    process.currentDirectoryURL = context.package.directoryURL
    try process.run()
    process.waitUntilExit()
    if process.terminationReason != .exit || process.terminationStatus != 0 {
      Diagnostics.error("authflow exited with code \(process.terminationStatus)")
    }
  }

  private func build() throws -> URL {
    Diagnostics.remark("authflow is not installed; building it now")
    let result = try packageManager.build(.product("authflow"), parameters: .init(configuration: .release))
    guard result.succeeded, let program = result.builtArtifacts.first(where: { $0.kind == .executable }) else {
      throw BuildFailure(log: result.logText)
    }
    return program.url
  }

  private struct BuildFailure: Error, CustomStringConvertible {
    let log: String
    var description: String { "cannot build authflow\n\(log)" }
  }
}
