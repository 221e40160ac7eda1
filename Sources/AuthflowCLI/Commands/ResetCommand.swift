import ArgumentParser
import Diagnostics
import Effects

struct ResetCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Delete all saved state: caches, cookies, emulator state, and CA",
    discussion: """
      Deletes only files that authflow wrote, including quarantined and incomplete files. To delete your progress in \
      the chapters, run `authflow learn --reset`. If a file is a symbolic link, the command removes the link but not \
      its target.

      Examples:
        authflow reset
        authflow reset && authflow run Workflows/me.yaml
      """)

  func perform(in session: Session) async throws(ExitStatus) {
    let root = StateFolder.root(session.world.environment)
    let files = session.world.files
    do {
      if files.isLink(root) {
        try unlink(root, in: session)
        return session.printLine("removed 1 file: \(CaretFrame.visible(root))")
      }
      guard files.kind(of: root) == .directory else {
        session.printLine("no saved state")
        return
      }
      let count = try files.list(root).reduce(0) { try $0 + delete(StateFolder(path: root + "/" + $1), in: session) }
      session.printLine("removed \(count.counting("file")) under \(root)")
    } catch {
      let reason = (error as? FileFailure)?.explanation ?? "\(error)"
      throw session.report(.environmentFailure, reason)
    }
  }

  /// Deletes the files of a state folder.
  /// - Returns: The number of deleted files.
  private func delete(_ folder: StateFolder, in session: Session) throws -> Int {
    let files = session.world.files
    if files.isLink(folder.path) {
      // A link to a file is not a state folder. The file may be the progress file of `authflow learn`.
      guard files.kind(of: folder.path) != .file else { return 0 }
      try unlink(folder.path, in: session)
      return 1
    }
    guard files.kind(of: folder.path) == .directory else { return 0 }
    var count = 0
    if files.kind(of: folder.keyringSignal) == .file {
      // Clearing the keyring writes the signal file. If the file is a link, remove it first, so that its target does
      // not change.
      if files.isLink(folder.keyringSignal) {
        try unlink(folder.keyringSignal, in: session)
        count += 1
      }
      try clearKeyring(folder, session.world)
    }
    for name in try files.list(folder.path) where StateFolder.isStateFile(name) {
      let file = folder.path + "/" + name
      if files.isLink(file) {
        try unlink(file, in: session)
      } else {
        // authflow does not create directories with these names. Pipes and devices must be removed, because runs that
        // encounter them fail.
        guard files.kind(of: file) != .directory else { continue }
        try files.removeEntry(file)
      }
      count += 1
    }
    return count
  }

  private func unlink(_ path: String, in session: Session) throws(FileFailure) {
    try session.world.files.removeEntry(path)
    session.printStatus("note: removed the link \(CaretFrame.visible(path)), but not its target")
  }

  /// Clears the token cache in the keyring. Deleting files does not remove this cache.
  private func clearKeyring(_ folder: StateFolder, _ world: World) throws {
    let location = CacheLocation(CacheLocation.keyring, defaultFolder: folder, in: world)
    if let note = location.note { throw FileFailure.other(folder.keyringSignal, reason: note) }
    try location.store.update { $0 = nil }
  }
}
