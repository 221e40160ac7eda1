import Foundation

/// Finds an installed authflow program.
enum InstalledAuthflow {
  /// Returns the program that the variable `AUTHFLOW` specifies. If the variable is not set, returns the first
  /// `authflow` found in `PATH`, Homebrew's folders, or the installer's folder. Xcode does not use the `PATH` of the
  /// user's shell.
  static func find(environment: [String: String] = ProcessInfo.processInfo.environment) -> URL? {
    if let path = environment["AUTHFLOW"], !path.isEmpty { return URL(filePath: path) }
    let folders =
      (environment["PATH"] ?? "").split(separator: ":").map(String.init)
      + ["/opt/homebrew/bin", "/usr/local/bin", (environment["HOME"] ?? "") + "/.local/bin"]
    return folders.lazy.map { URL(filePath: $0).appending(path: "authflow") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}
