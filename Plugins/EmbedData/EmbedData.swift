import Foundation
import PackagePlugin

/// Turns the files of a module's `Data` folder into Swift string literals before each build.
///
/// Literals require neither decoding nor files at run time. SwiftPM's `.embedInCode` writes arrays of bytes, which take
/// minutes to compile.
@main
struct EmbedData: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let folder = context.pluginWorkDirectoryURL
    return [
      .prebuildCommand(
        displayName: "Embedding the data of \(target.name)", executable: URL(filePath: "/bin/sh"),
        arguments: [
          context.package.directoryURL.appending(path: "Plugins/EmbedData/embed").path,
          target.directoryURL.appending(path: "Data").path, folder.path,
        ],
        outputFilesDirectory: folder)
    ]
  }
}
