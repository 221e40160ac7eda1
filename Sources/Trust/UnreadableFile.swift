import Diagnostics
import Documents
import Effects

/// An error for a file that cannot be read, with its diagnostic.
package struct UnreadableFile: Error {
  package let path: String
  package let failure: FileFailure
  /// Whether the path comes from a reference in another file.
  package var isReference = false

  package init(path: String, failure: FileFailure) {
    self.path = path
    self.failure = failure
  }

  package var diagnostic: Diagnostic {
    let help: String? =
      switch failure {
      case .isDirectory: "pass a file in this directory"
      case .tooLarge: "the size limit of documents is 64 MiB"
      case .notFound where isReference:
        "check the path: relative paths in a file are resolved against that file's folder"
      case .notFound: "check the path: relative paths are resolved against the working directory"
      case .notRegular: "pass a regular file; only the command line accepts `-` and `<(command)`"
      case .notPermitted: "check the permissions of the file"
      default: nil
      }
    let reason =
      switch failure {
      case .notFound: "no such file"
      case .isDirectory: "is a directory, not a file"
      case .notRegular(_, let kind): "is not a regular file (\(kind))"
      case .notPermitted: "permission denied"
      case .tooLarge(_, let limit): "larger than \(limit) bytes"
      case .noSpace: "no space left on the device"
      case .other(_, let reason): reason
      }
    return Diagnostic(.error, rule: "unreadable-file", reason, help: help, at: .file(path))
  }
}
