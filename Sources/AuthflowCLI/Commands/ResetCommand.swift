import ArgumentParser
import Effects

struct ResetCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Forgets everything that is kept: caches, cookies, the emulated platform's memory, the emulator's CA.",
    discussion: """
      Only files that authflow itself wrote are removed, those that it moved aside and left half-written among them. What \
      learn remembers stays; learn --reset forgets it.

      Example: authflow reset
      """)

  func perform(in session: Session) async throws(ExitStatus) {
    let root = StateFolder.root(session.world.environment)
    let files = session.world.files
    guard files.kind(of: root) == .directory else {
      session.say("nothing is kept")
      return
    }
    do {
      var count = 0
      for place in try files.list(root) {
        let folder = StateFolder(path: root + "/" + place)
        if files.kind(of: folder.keyringSignal) == .file { try emptyKeyring(folder, session.world) }
        guard files.kind(of: folder.path) == .directory else { continue }
        for name in try files.list(folder.path) where StateFolder.isOwn(name) {
          let file = folder.path + "/" + name
          guard files.kind(of: file) == .file else { continue }
          try files.remove(file)
          count += 1
        }
      }
      session.say("removed \(count) files under \(root)")
    } catch {
      let reason = (error as? FileFailure)?.explanation ?? "\(error)"
      session.remark("error: \(reason)")
      throw .surroundings
    }
  }

  /// What was kept in the keyring is not among the files.
  private func emptyKeyring(_ folder: StateFolder, _ world: World) throws {
    let place = CachePlace(CachePlace.keyring, standard: folder, in: world)
    if let note = place.note { throw FileFailure.other(folder.keyringSignal, reason: note) }
    try place.store.update { $0 = nil }
  }
}
