import Diagnostics
import Effects
import Scenarios

extension Session {
  /// Prepares a state folder for a command: checks its access rights, and removes incomplete files.
  func prepare(_ folder: StateFolder) throws(ExitStatus) {
    try checkAccess(to: folder)
    for file in folder.replacedFiles { world.files.removeAbandonedParts(of: file) }
  }

  /// Rejects a state folder in which another user can read or replace tokens. Also checks the parent folder, because a
  /// user who can write to it can replace the state folder. If `--cache` specifies the folder, this function only
  /// prints a warning.
  private func checkAccess(to folder: StateFolder) throws(ExitStatus) {
    let root = StateFolder.root(world.environment)
    guard folder.path.hasPrefix(root + "/") else {
      if let problem = world.files.access(ofDirectory: folder.path)?.sharedFolderProblem {
        printStatus("warning: the token cache in \(CaretFrame.visible(folder.path)) is not secure: \(problem)")
      }
      return
    }
    for path in [root, folder.path] {
      guard let access = world.files.access(ofDirectory: path), let problem = access.problem else { continue }
      let fix = access.owner == .user ? "run `chmod 700 \(ShellWord.file(path))`, or " : ""
      throw report(
        .environmentFailure, "cannot use the state folder \(CaretFrame.visible(path)): \(problem)",
        help: "\(fix)set `XDG_STATE_HOME` to your own folder")
    }
  }
}

extension DirectoryAccess {
  /// The reason the directory is not secure, or nil if only the user can write to it.
  var problem: String? {
    if owner != .user { return "it belongs to another user" }
    return isWritableByOthers ? "other users can write to it" : nil
  }

  /// The reason a shared folder is not secure, or nil if users can remove only their own files from it.
  fileprivate var sharedFolderProblem: String? {
    if owner == .other { return "the folder belongs to another user" }
    return isWritableByOthers && !isSticky ? "other users can write to the folder" : nil
  }
}
