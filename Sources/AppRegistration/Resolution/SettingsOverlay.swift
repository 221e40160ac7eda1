import Documents

/// The settings of one environment, which stand beside those of all and are laid over them value by value:
/// `AuthSettings.dev.plist` over `AuthSettings.plist`, as .NET has it with `appsettings.Development.json`.
package enum SettingsOverlay {
  /// The file with an environment's own values.
  package static func path(over base: String, environment: String) -> String {
    let (folder, stem, ending) = parts(of: base)
    return FilePath.join(folder, "\(stem).\(environment)\(ending)")
  }

  /// The file that one with an environment in its name would be laid over, whether there is any or not; nil where the
  /// name holds no environment.
  package static func base(of overlay: String) -> String? {
    let (folder, stem, ending) = parts(of: overlay)
    guard !ending.isEmpty, let dot = stem.lastIndex(of: "."), dot != stem.startIndex,
      isEnvironment(String(stem[stem.index(after: dot)...]))
    else { return nil }
    return FilePath.join(folder, stem[..<dot] + ending)
  }

  /// Whether an environment may be called that: it becomes a part of a file's name.
  package static func isEnvironment(_ name: String) -> Bool {
    !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
  }

  private static func parts(of path: String) -> (folder: String, stem: String, ending: String) {
    let name = FilePath.name(of: path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return (FilePath.folder(of: path), name, "")
    }
    return (FilePath.folder(of: path), String(name[..<dot]), String(name[dot...]))
  }
}
