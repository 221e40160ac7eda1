import ArgumentParser
import Effects

struct ResetCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Forgets everything that plain runs keep: caches, cookies, the emulated platform's memory.",
    discussion: """
      Only files that authflow itself wrote are removed.

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
        for file in [folder.cache, folder.platform, folder.browser, folder.clock, folder.lock, folder.cacheLock]
        where files.kind(of: file) == .file {
          try files.remove(file)
          count += 1
        }
      }
      session.say("removed \(count) files under \(root)")
    } catch {
      session.remark("error: \(error.explanation)")
      throw .surroundings
    }
  }
}
