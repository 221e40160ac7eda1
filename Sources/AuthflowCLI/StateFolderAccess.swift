import Diagnostics
import Effects
import Scenarios

extension Session {
  /// Makes a state folder ready for a command that reads or writes secrets in it: others must not have access, and what
  /// killed runs left half-written is removed.
  func prepare(_ folder: StateFolder) throws(ExitStatus) {
    try checkAccess(to: folder)
    for file in folder.replacedFiles { world.files.removeAbandonedParts(of: file) }
  }

  /// Rejects a state folder in which another user could read tokens, or replace them: the folder belongs to that user, or
  /// others can write to it. The folder of all state is checked too, because whoever can write to it can replace the rest.
  ///
  /// A folder that the user named with `--cache` keeps its mode, so this only warns.
  private func checkAccess(to folder: StateFolder) throws(ExitStatus) {
    let root = StateFolder.root(world.environment)
    guard folder.path.hasPrefix(root + "/") else {
      if let fault = world.files.access(ofDirectory: folder.path)?.faultOfSharedFolder {
        printStatus("warning: the token cache in \(CaretFrame.visible(folder.path)) is not safe: \(fault)")
      }
      return
    }
    for path in [root, folder.path] {
      guard let access = world.files.access(ofDirectory: path), let fault = access.fault else { continue }
      let repair = access.owner == .user ? "run `chmod 700 \(ShellWord.file(path))`, or name" : "name"
      printStatus(
        "error: cannot use the state folder \(CaretFrame.visible(path)): \(fault)\n"
          + "  help: \(repair) a folder of your own with XDG_STATE_HOME")
      throw .environmentFailure
    }
  }
}

extension DirectoryAccess {
  /// Why nothing secret can be saved in the directory; nil if only its user can write to it.
  var fault: String? {
    if owner != .user { return "it belongs to another user" }
    return isWritableByOthers ? "other users can write to it" : nil
  }

  /// The same for a folder that several users can share: each can remove only their own files from it.
  fileprivate var faultOfSharedFolder: String? {
    if owner == .other { return "the folder belongs to another user" }
    return isWritableByOthers && !isSticky ? "other users can write to the folder" : nil
  }
}
