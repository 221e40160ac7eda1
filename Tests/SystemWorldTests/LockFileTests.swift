import Effects
import Synchronization
import SystemWorld
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  // The system's types belong to it as soon as Foundation is anywhere in the program.
  import CoreFoundation
  import Glibc
#endif

/// Who is inside, counted; shared by the tasks of a test.
private final class Visits: Sendable {
  private let state = Mutex((inside: 0, most: 0, all: 0))

  var most: Int { state.withLock { $0.most } }
  var all: Int { state.withLock { $0.all } }

  func enter() { state.withLock { $0 = ($0.inside + 1, max($0.most, $0.inside + 1), $0.all + 1) } }
  func leave() { state.withLock { $0.inside -= 1 } }
}

@Suite("The lock file of msal-extensions")
struct LockFileTests {
  private let files = LiveFileSystem()
  private struct Refused: Error {}

  @Test("is there, locked and named, while it is held, and gone afterwards, whatever happened")
  func life() throws {
    let folder = try TemporaryFolder()
    let path = folder("c.lockfile")
    try files.holdingLockFile(path) {
      let text = String(decoding: try files.read(path, limit: 4_096), as: UTF8.self)
      #expect(text.hasPrefix("\(getpid()) "))
      let other = open(path, O_RDWR)
      #expect(flock(other, LOCK_EX | LOCK_NB) != 0)
      close(other)
      #expect(folder.mode("c.lockfile") == 0o600)
    }
    #expect(files.kind(of: path) == nil)
    #expect(throws: Refused.self) { try files.holdingLockFile(path) { throw Refused() } }
    #expect(files.kind(of: path) == nil)
    #expect(throws: FileFailure.notFound(folder("no/l"))) { try files.holdingLockFile(folder("no/l")) {} }
  }

  @Test("lets one in at a time")
  func exclusion() async throws {
    let folder = try TemporaryFolder()
    let path = folder("c.lockfile")
    let visits = Visits()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<25 {
            try LiveFileSystem().holdingLockFile(path) {
              visits.enter()
              sched_yield()
              visits.leave()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(visits.most == 1)
    #expect(visits.all == 200)
    #expect(try files.list(folder.path) == [])
  }

  @Test(
    "What a dead process left behind is cleared away, with the parts that it had written",
    arguments: ["\(Int32.max) python", "\(Int32.max) authflow\n", "1 authflow\n", ""])
  func abandoned(text: String) throws {
    let folder = try TemporaryFolder()
    let path = folder("c.lockfile")
    try files.replace(path, with: Array(text.utf8), privately: true)
    try age(path, seconds: 10)
    try files.replace(folder("c.7.8.part"), with: [1], privately: true)
    try files.replace(folder("cc.7.8.part"), with: [1], privately: true)
    #expect(try files.holdingLockFile(path) { 5 } == 5)
    #expect(try files.list(folder.path) == ["cc.7.8.part"])
  }

  @Test("A living process's lock is waited for, also where it locks by the file alone, as Python without portalocker")
  func living() async throws {
    let folder = try TemporaryFolder()
    let path = folder("c.lockfile")
    // The parent of this process lives, and began before.
    try files.replace(path, with: Array("\(getppid()) python".utf8), privately: true)
    try age(path, seconds: 1)
    let released = Visits()
    let release = Task.detached {
      usleep(300_000)
      released.enter()
      unlink(path)
    }
    let seen = try await Task.detached {
      try LiveFileSystem().holdingLockFile(path) { released.all }
    }.value
    await release.value
    #expect(seen == 1)
  }

  @Test("A lock that Python with portalocker waits for is left to it")
  func waitedFor() throws {
    let folder = try TemporaryFolder()
    let path = folder("c.lockfile")
    var waiting: CInt = -1
    try files.holdingLockFile(path) {
      // After five seconds it opens what is there for writing, and tries to lock that.
      waiting = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
      #expect(flock(waiting, LOCK_EX | LOCK_NB) != 0)
    }
    defer { close(waiting) }
    #expect(flock(waiting, LOCK_EX | LOCK_NB) == 0)
    var (own, found) = (stat(), stat())
    #expect(fstat(waiting, &own) == 0)
    #expect(lstat(path, &found) == 0)
    #expect(own.st_ino == found.st_ino)
  }

  /// Makes a file older, as if it had been written so many seconds ago.
  private func age(_ path: String, seconds: Int) throws {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let then = timespec(tv_sec: now.tv_sec - seconds, tv_nsec: now.tv_nsec)
    #expect(utimensat(AT_FDCWD, path, [then, then], 0) == 0)
  }
}
