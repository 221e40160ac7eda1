import Foundation
import PackagePlugin

/// Validates the sign-in files of a target before each build: settings, Info.plist, entitlements, and workflows.
/// Findings use the format of compiler diagnostics, so Xcode shows them at their lines. An error fails the build.
@main
struct ValidateSignIn: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
    command(validating: target.directoryURL, workFolder: context.pluginWorkDirectoryURL)
  }

  private func command(validating folder: URL, workFolder: URL) -> [Command] {
    guard let program = InstalledAuthflow.find() else {
      Diagnostics.error(
        "authflow is not installed, so \(folder.lastPathComponent) cannot be validated: install it, or remove the plugin"
      )
      return []
    }
    return [
      .prebuildCommand(
        displayName: "Validating the sign-in files of \(folder.lastPathComponent)", executable: program,
        arguments: ["validate", folder.path], outputFilesDirectory: workFolder)
    ]
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension ValidateSignIn: XcodeBuildToolPlugin {
    /// Validates the whole project, because its entitlements and build settings are outside the target's folder.
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) -> [Command] {
      command(validating: context.xcodeProject.directoryURL, workFolder: context.pluginWorkDirectoryURL)
    }
  }
#endif
