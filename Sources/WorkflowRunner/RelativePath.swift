import Documents

/// Paths as a trace tells them: seen from the workflow's folder, so that they are the same wherever that lies and from
/// wherever it was run.
package enum RelativePath {
  /// - Parameters:
  ///   - path: absolute, or seen from the working directory.
  ///   - folder: the same.
  package static func of(_ path: String, from folder: String, workingDirectory: String) -> String {
    let target = FilePath.join(workingDirectory, path).split(separator: "/")
    let base = FilePath.join(workingDirectory, folder).split(separator: "/")
    var shared = 0
    while shared < base.count, shared < target.count - 1, base[shared] == target[shared] { shared += 1 }
    return ([Substring](repeating: "..", count: base.count - shared) + target[shared...]).joined(separator: "/")
  }
}
