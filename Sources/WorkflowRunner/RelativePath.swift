import Documents

/// Makes paths relative to the workflow's folder, so that a trace does not depend on this folder's location or the
/// working directory.
package enum RelativePath {
  /// - Parameters:
  ///   - path: An absolute path, or a path relative to the working directory.
  ///   - folder: The folder, as an absolute path or a path relative to the working directory.
  package static func of(_ path: String, from folder: String, workingDirectory: String) -> String {
    let target = FilePath.join(workingDirectory, path).split(separator: "/")
    let base = FilePath.join(workingDirectory, folder).split(separator: "/")
    var shared = 0
    while shared < base.count, shared < target.count - 1, base[shared] == target[shared] { shared += 1 }
    return ([Substring](repeating: "..", count: base.count - shared) + target[shared...]).joined(separator: "/")
  }
}
