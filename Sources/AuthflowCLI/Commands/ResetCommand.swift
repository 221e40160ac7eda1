import ArgumentParser
import Diagnostics
import Effects

struct ResetCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Forgets everything that is kept: caches, cookies, the emulated platform's memory, the emulator's CA.",
    discussion: """
      Only files that authflow itself wrote are removed, those that it moved aside and left half-written among them. What \
      learn remembers stays; learn --reset forgets it. A symbolic link is removed itself, and its target is not changed.

      Example: authflow reset
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
        session.printLine("nothing is kept")
        return
      }
      let count = try files.list(root).reduce(0) { try $0 + forget(StateFolder(path: root + "/" + $1), in: session) }
      session.printLine("removed \(count) files under \(root)")
    } catch {
      let reason = (error as? FileFailure)?.explanation ?? "\(error)"
      session.printStatus("error: \(reason)")
      throw .environmentFailure
    }
  }

  /// - Returns: how many files were removed.
  private func forget(_ folder: StateFolder, in session: Session) throws -> Int {
    let files = session.world.files
    if files.isLink(folder.path) {
      // A link to a file, such as one to the progress of learn, is not a place of runs.
      guard files.kind(of: folder.path) != .file else { return 0 }
      try unlink(folder.path, in: session)
      return 1
    }
    guard files.kind(of: folder.path) == .directory else { return 0 }
    var count = 0
    if files.kind(of: folder.keyringSignal) == .file {
      // Emptying the keyring writes the signal file, and would write to the target of a link.
      if files.isLink(folder.keyringSignal) {
        try unlink(folder.keyringSignal, in: session)
        count += 1
      }
      try emptyKeyring(folder, session.world)
    }
    for name in try files.list(folder.path) where StateFolder.isOwn(name) {
      let file = folder.path + "/" + name
      if files.isLink(file) {
        try unlink(file, in: session)
      } else {
        // A directory of that name is not authflow's. A pipe or a device in the place of a file makes runs fail.
        guard files.kind(of: file) != .directory else { continue }
        try files.removeEntry(file)
      }
      count += 1
    }
    return count
  }

  private func unlink(_ path: String, in session: Session) throws(FileFailure) {
    try session.world.files.removeEntry(path)
    session.printStatus("note: \(CaretFrame.visible(path)) was a link; its target was not changed")
  }

  /// What was kept in the keyring is not among the files.
  private func emptyKeyring(_ folder: StateFolder, _ world: World) throws {
    let place = CachePlace(CachePlace.keyring, standard: folder, in: world)
    if let note = place.note { throw FileFailure.other(folder.keyringSignal, reason: note) }
    try place.store.update { $0 = nil }
  }
}
