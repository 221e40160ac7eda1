import Foundation
import PackagePlugin

/// Writes the commit of the checkout as Swift source before each build, so that `authflow --version` can print it.
///
/// The manifest cannot do this: SwiftPM evaluates it once and caches the result across commits.
@main
struct BuildCommit: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let package = context.package.directoryURL
    let folder = context.pluginWorkDirectoryURL
    return [
      .prebuildCommand(
        displayName: "Reading the commit", executable: URL(filePath: "/bin/sh"),
        arguments: [package.appending(path: ".ci/write-commit").path, package.path, folder.path],
        outputFilesDirectory: folder)
    ]
  }
}
