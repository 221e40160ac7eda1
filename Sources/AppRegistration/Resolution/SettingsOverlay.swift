import Documents

/// Files with the settings of one environment, which override the base file value by value: `AuthSettings.dev.plist`
/// overrides `AuthSettings.plist`, like `appsettings.Development.json` in .NET.
package enum SettingsOverlay {
  /// Returns the path of the overlay for an environment.
  package static func path(over base: String, environment: String) -> String {
    let (folder, stem, ending) = parts(of: base)
    return FilePath.join(folder, "\(stem).\(environment)\(ending)")
  }

  /// Returns the path of an overlay's base file, or nil if the overlay's name does not contain an environment. The base
  /// file may not exist.
  package static func base(of overlay: String) -> String? {
    let (folder, stem, ending) = parts(of: overlay)
    guard !ending.isEmpty, let dot = stem.lastIndex(of: "."), dot != stem.startIndex,
      isEnvironment(String(stem[stem.index(after: dot)...]))
    else { return nil }
    return FilePath.join(folder, stem[..<dot] + ending)
  }

  /// Whether an environment may have this name, which becomes part of a file name.
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
