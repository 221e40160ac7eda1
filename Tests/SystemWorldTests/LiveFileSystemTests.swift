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

/// Counts the tasks in the critical section at the same time.
private final class Occupancy: Sendable {
  private let state = Mutex((now: 0, most: 0))

  var most: Int { state.withLock { $0.most } }

  func enter() { state.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } }
  func leave() { state.withLock { $0.now -= 1 } }
}

@Suite("File system")
struct LiveFileSystemTests {
  private let files = LiveFileSystem()
  private struct Refused: Error {}

  @Test("replaces complete files, with private or default permissions")
  func replacing() throws {
    let folder = try TemporaryFolder()
    try files.replace(folder("private"), with: [1, 2], privately: true)
    try files.replace(folder("shared with blanks é"), with: [3], privately: false)
    #expect(folder.mode("private") == 0o600)
    #expect(folder.mode("shared with blanks é") & 0o600 == 0o600)
    #expect(try files.read(folder("private"), limit: 2) == [1, 2])
    try files.replace(folder("private"), with: Array(repeating: 7, count: 200_000), privately: true)
    #expect(try files.read(folder("private"), limit: .max).count == 200_000)
    // No other files remain.
    #expect(try files.list(folder.path) == ["private", "shared with blanks é"])
  }

  @Test("a private replacement restricts permissions, and other replacements preserve them")
  func modes() throws {
    let folder = try TemporaryFolder()
    try files.replace(folder("f"), with: [1], privately: false)
    chmod(folder("f"), 0o640)
    try files.replace(folder("f"), with: [2], privately: false)
    #expect(folder.mode("f") == 0o640)
    try files.replace(folder("f"), with: [3], privately: true)
    #expect(folder.mode("f") == 0o600)
  }

  @Test("removes the target of a link, or the link itself if it is dangling")
  func removingLinks() throws {
    let folder = try TemporaryFolder()
    try files.replace(folder("target"), with: [1], privately: true)
    symlink(folder("target"), folder("link"))
    try files.remove(folder("link"))
    #expect(files.kind(of: folder("target")) == nil)
    try files.remove(folder("link"))
    #expect(try files.list(folder("")) == [])
  }

  @Test("replaces the target of a link and keeps the link")
  func links() throws {
    let folder = try TemporaryFolder()
    try files.replace(folder("target"), with: [1], privately: false)
    symlink(folder("target"), folder("link"))
    try files.replace(folder("link"), with: [2], privately: false)
    var status = stat()
    lstat(folder("link"), &status)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
    #expect(try files.read(folder("target"), limit: 9) == [2])
  }

  @Test("distinguishes failures")
  func failures() throws {
    let folder = try TemporaryFolder()
    try files.replace(folder("f"), with: [1, 2, 3], privately: false)
    #expect(throws: FileFailure.notFound(folder("x"))) { try files.read(folder("x"), limit: 9) }
    #expect(throws: FileFailure.notFound(folder("f/x"))) { try files.read(folder("f/x"), limit: 9) }
    #expect(throws: FileFailure.isDirectory(folder.path)) { try files.read(folder.path, limit: 9) }
    #expect(throws: FileFailure.tooLarge(folder("f"), limit: 2)) { try files.read(folder("f"), limit: 2) }
    #expect(try files.prefix(of: folder("f"), count: 2) == [1, 2])
    #expect(try files.prefix(of: folder("f"), count: 9) == [1, 2, 3])
    #expect(throws: FileFailure.isDirectory(folder.path)) { try files.prefix(of: folder.path, count: 9) }
    #expect(throws: FileFailure.notFound(folder("x"))) { try files.prefix(of: folder("x"), count: 9) }
    #expect(throws: FileFailure.notFound(folder("no/f"))) {
      try files.replace(folder("no/f"), with: [], privately: true)
    }
    #expect(throws: FileFailure.isDirectory(folder.path)) { try files.replace(folder.path, with: [], privately: true) }
    #expect(throws: FileFailure.notFound(folder("x"))) { try files.remove(folder("x")) }
    #expect(throws: FileFailure.isDirectory(folder.path)) { try files.remove(folder.path) }
    #expect(throws: FileFailure.notFound(folder("x"))) { try files.list(folder("x")) }
    #expect(throws: FileFailure.other(folder("f"), reason: "is not a directory")) { try files.list(folder("f")) }
    #expect(throws: FileFailure.self) { try files.makeDirectory(folder("f"), privately: false) }
    #expect(throws: FileFailure.self) { try files.makeDirectory(folder("f/g/h"), privately: false) }
    #expect(throws: FileFailure.notFound(folder("no/l"))) { try files.locked(folder("no/l")) {} }
    let long = folder(String(repeating: "x", count: 5_000))
    #expect(throws: FileFailure.self) { try files.read(long, limit: 9) }
    #expect(files.kind(of: long) == nil)
  }

  @Test("reports missing permissions", .enabled(if: geteuid() != 0, "root has all permissions"))
  func permissions() throws {
    let folder = try TemporaryFolder()
    try files.replace(folder("f"), with: [1], privately: true)
    chmod(folder("f"), 0)
    #expect(throws: FileFailure.notPermitted(folder("f"))) { try files.read(folder("f"), limit: 9) }
  }

  @Test(
    "a failed write to a full disk preserves the old content and does not leave other files",
    .enabled(if: LiveFileSystem().kind(of: "/dev/full") != nil))
  func full() throws {
    #expect(throws: FileFailure.noSpace("/dev/full")) { try files.replace("/dev/full", with: [1], privately: false) }
    let appender = try files.appender(to: "/dev/full")
    #expect(throws: FileFailure.noSpace("/dev/full")) { try appender.append([1]) }
  }

  @Test("a failed replacement does not leave files behind")
  func failedReplacement() throws {
    let folder = try TemporaryFolder()
    try files.makeDirectory(folder("d"), privately: false)
    #expect(throws: FileFailure.isDirectory(folder("d"))) {
      try files.replace(folder("d"), with: [1], privately: false)
    }
    #expect(try files.list(folder.path) == ["d"])
  }

  @Test("reads files without a reported size up to the end or the limit")
  func pipes() throws {
    let files = LiveFileSystem(streams: ["/dev/null", "/dev/zero"])
    #expect(try files.read("/dev/null", limit: 0) == [])
    #expect(throws: FileFailure.tooLarge("/dev/zero", limit: 100_000)) { try files.read("/dev/zero", limit: 100_000) }
  }

  @Test("creates directories with their parents, optionally private")
  func directories() throws {
    let folder = try TemporaryFolder()
    try files.makeDirectory(folder("a/b/c"), privately: true)
    try files.makeDirectory(folder("a/b/c"), privately: true)
    #expect(files.kind(of: folder("a/b/c")) == .directory)
    #expect(folder.mode("a/b") == 0o700)
    try files.replace(folder("a/z"), with: [], privately: false)
    try files.replace(folder("a/B"), with: [], privately: false)
    #expect(try files.list(folder("a")) == ["B", "b", "z"])
    try files.remove(folder("a/z"))
    #expect(files.kind(of: folder("a/z")) == nil)
  }

  @Test("append returns only after the line is in the file")
  func appending() throws {
    let folder = try TemporaryFolder()
    try files.replace(folder("log"), with: [1], privately: false)
    let appender = try files.appender(to: folder("log"))
    #expect(try files.read(folder("log"), limit: 9) == [])
    try appender.append(Array("a\n".utf8))
    #expect(try files.read(folder("log"), limit: 9) == Array("a\n".utf8))
    try appender.append(Array("b\n".utf8))
    #expect(try files.read(folder("log"), limit: 9) == Array("a\nb\n".utf8))
    appender.close()
    appender.close()
  }

  @Test("a lock is exclusive and is released if its body throws")
  func locking() async throws {
    let folder = try TemporaryFolder()
    let path = folder("lock")
    let inside = Occupancy()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 {
        group.addTask {
          for _ in 0..<20 {
            try LiveFileSystem().locked(path) {
              inside.enter()
              inside.leave()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(inside.most == 1)
    #expect(throws: Refused.self) { try files.locked(path) { throw Refused() } }
    #expect(try files.locked(path) { 5 } == 5)
    #expect(folder.mode("lock") == 0o600)
  }

  @Test("a file blob meets the requirements for blob stores and is private")
  func blob() async throws {
    let folder = try TemporaryFolder()
    let path = folder("state/authflow/cache.json")
    let violations = try await BlobStoreConformance.violations {
      (FileBlobStore(path, in: LiveFileSystem()), FileBlobStore(path, in: LiveFileSystem()))
    }
    #expect(violations == [])
    #expect(folder.mode("state/authflow/cache.json") == 0o600)
    #expect(folder.mode("state/authflow") == 0o700)
    #expect(try files.list(folder("state/authflow")) == ["cache.json", "cache.json.corrupt-1", "cache.json.corrupt-2"])
  }

  @Test("an unreadable blob is an error, not an empty blob")
  func unreadableBlob() throws {
    let folder = try TemporaryFolder()
    try files.makeDirectory(folder("cache"), privately: true)
    let store = FileBlobStore(folder("cache"), in: files)
    #expect(throws: FileFailure.isDirectory(folder("cache"))) { try store.load() }
    #expect(throws: FileFailure.isDirectory(folder("cache"))) { try store.update { $0 = [1] } }
  }
}
