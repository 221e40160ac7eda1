import Effects
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

@Suite("Files that other programs share")
struct SharedFileTests {
  private let files = LiveFileSystem()

  /// Overwrites a file without replacing it, like msal-extensions for Python.
  private func writeInPlace(_ path: String, _ text: String) {
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    _ = text.utf8.withContiguousStorageIfAvailable { write(file, $0.baseAddress, $0.count) }
    close(file)
  }

  @Test("detects an in-place write of the same size within the same clock tick")
  func racilyClean() throws {
    let folder = try TemporaryFolder()
    let path = folder("f")
    for round in 0..<200 {
      writeInPlace(path, "a\(round % 2)")
      let read = try files.readState(path, limit: 9)
      writeInPlace(path, "b\(round % 2)")
      #expect(try !files.revision(of: path).provesUnchanged(since: read.revision))
    }
  }

  @Test("detects an in-place write after its own write, and recognizes its own write")
  func afterOurs() throws {
    let folder = try TemporaryFolder()
    let path = folder("f")
    for _ in 0..<50 {
      let revision = try files.replaceShared(path, with: [1, 2])
      #expect(try files.revision(of: path).provesUnchanged(since: revision))
      writeInPlace(path, "xy")
      #expect(try !files.revision(of: path).provesUnchanged(since: revision))
    }
  }

  @Test("sets a modification time that is later than any read of the old file")
  func timeAhead() throws {
    let folder = try TemporaryFolder()
    _ = try files.replaceShared(folder("f"), with: [1])
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var status = stat()
    #expect(stat(folder("f"), &status) == 0)
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    #expect((modified.tv_sec, modified.tv_nsec) > (now.tv_sec, now.tv_nsec))
    #expect(modified.tv_sec <= now.tv_sec + 1)
    #expect(folder.mode("f") == 0o600)
  }

  @Test("a quarantined file never replaces another one")
  func movedAside() throws {
    let folder = try TemporaryFolder()
    #expect(throws: FileFailure.notFound(folder("f"))) { try files.moveAside(folder("f")) }
    for content in UInt8(1)...3 {
      try files.replace(folder("f"), with: [content], privately: true)
      #expect(try files.moveAside(folder("f")) == folder("f.corrupt-\(content)"))
    }
    #expect(try files.list(folder.path) == ["f.corrupt-1", "f.corrupt-2", "f.corrupt-3"])
    #expect(try files.read(folder("f.corrupt-2"), limit: 9) == [2])
  }

  @Test(
    "a failed write preserves the old content and does not leave a lock file behind",
    .enabled(if: geteuid() != 0, "the superuser can write to any directory"))
  func unwritable() throws {
    let folder = try TemporaryFolder()
    let store = FileBlobStore(folder("f"), in: files)
    try store.update { $0 = [1] }
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }
    #expect(throws: FileFailure.self) { try store.update { $0 = [2] } }
    #expect(try store.load() == [1])
  }
}
