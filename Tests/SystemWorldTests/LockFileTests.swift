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
  // If another module in the program imports Foundation, the C library types are visible only through Foundation.
  import CoreFoundation
  import Glibc
#endif

/// Counts the tasks in the critical section.
private final class Visits: Sendable {
  private let state = Mutex((inside: 0, most: 0, all: 0))

  var most: Int { state.withLock { $0.most } }
  var all: Int { state.withLock { $0.all } }

  func enter() { state.withLock { $0 = ($0.inside + 1, max($0.most, $0.inside + 1), $0.all + 1) } }
  func leave() { state.withLock { $0.inside -= 1 } }
}

@Suite("msal-extensions lock files")
struct LockFileTests {
  private let files = LiveFileSystem()
  private struct Refused: Error {}

  @Test("contains its owner while it is held, and is removed afterward")
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

  @Test("is exclusive")
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
    "removes the lock file and partial files of a process that ended",
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

  @Test("waits for the lock of a process without `flock`, such as Python without portalocker")
  func runningProcess() async throws {
    let folder = try TemporaryFolder()
    let path = folder("c.lockfile")
    // The parent process is running and started earlier.
    try files.replace(path, with: Array("\(getppid()) python".utf8), privately: true)
    try age(path, seconds: 1)
    let released = Visits()
    let release = Task.detached {
      usleep(300_000)
      released.enter()
      unlink(path)
    }
    let count = try await Task.detached {
      try LiveFileSystem().holdingLockFile(path) { released.all }
    }.value
    await release.value
    #expect(count == 1)
  }

  @Test("keeps the lock file if Python with portalocker is waiting for it")
  func waitedFor() throws {
    let folder = try TemporaryFolder()
    let path = folder("c.lockfile")
    var waiting: CInt = -1
    try files.holdingLockFile(path) {
      // After five seconds, portalocker opens the existing file for writing and tries to lock it.
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

  /// Moves the modification time of a file `seconds` seconds into the past.
  private func age(_ path: String, seconds: Int) throws {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let then = timespec(tv_sec: now.tv_sec - seconds, tv_nsec: now.tv_nsec)
    #expect(utimensat(AT_FDCWD, path, [then, then], 0) == 0)
  }
}
