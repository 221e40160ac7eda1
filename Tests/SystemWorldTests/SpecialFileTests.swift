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

/// A named pipe that contains 8,192 bytes. Its other end is open, so code that reads or writes the pipe does not block.
private final class FilledPipe: Sendable {
  let path: String
  private let end: CInt

  init(_ path: String) {
    self.path = path
    mkfifo(path, 0o600)
    end = open(path, O_RDWR | O_NONBLOCK)
    let bytes = [UInt8](repeating: UInt8(ascii: "1"), count: 8_192)
    write(end, bytes, bytes.count)
  }

  deinit { close(end) }
}

@Suite("Pipes, devices, and links instead of files")
struct SpecialFileTests {
  private let files = LiveFileSystem()

  private func isPipe(_ path: String) -> FileFailure { .notRegular(path, kind: "named pipe") }

  @Test("rejects a named pipe and a device as input")
  func input() throws {
    let folder = try TemporaryFolder()
    let pipe = FilledPipe(folder("pipe"))
    for (path, failure) in [
      (pipe.path, isPipe(pipe.path)), ("/dev/zero", FileFailure.notRegular("/dev/zero", kind: "device")),
    ] {
      #expect(throws: failure) { try files.read(path, limit: 3) }
      #expect(throws: failure) { try files.prefix(of: path, count: 2) }
      #expect(throws: failure) { try files.readPieces(of: path) { _ in false } }
      #expect(throws: failure) { try files.readState(path, limit: 3) }
    }
  }

  @Test("reads a pipe from the command line")
  func stream() throws {
    var ends: [CInt] = [0, 0]
    #expect(pipe(&ends) == 0)
    write(ends[1], [1, 2, 3] as [UInt8], 3)
    close(ends[1])
    defer { close(ends[0]) }
    let path = "/dev/fd/\(ends[0])"
    #expect(throws: isPipe(path)) { try files.read(path, limit: 9) }
    #expect(try LiveFileSystem(streams: [path]).read(path, limit: 9) == [1, 2, 3])
  }

  @Test("rejects a named pipe as a private file, but writes a report to it")
  func output() throws {
    let folder = try TemporaryFolder()
    let pipe = FilledPipe(folder("pipe"))
    #expect(throws: isPipe(pipe.path)) { try files.replace(pipe.path, with: [1], privately: true) }
    #expect(throws: isPipe(pipe.path)) { try files.replaceShared(pipe.path, with: [1]) }
    try files.replace(pipe.path, with: [1], privately: false)
    let appender = try files.appender(to: pipe.path)
    try appender.append([2])
    appender.close()
    #expect(files.kind(of: pipe.path) == .other)
  }

  @Test("rejects a named pipe and a link as a lock")
  func locks() throws {
    let folder = try TemporaryFolder()
    let files = LiveFileSystem(lockTimeout: 0)
    let pipe = FilledPipe(folder("pipe"))
    #expect(throws: isPipe(pipe.path)) { try files.locked(pipe.path) {} }
    #expect(throws: isPipe(pipe.path)) { try files.holdingLockFile(pipe.path) {} }
    try files.replace(folder("target"), with: [], privately: true)
    symlink(folder("target"), folder("link"))
    #expect(throws: FileFailure.notRegular(folder("link"), kind: "symbolic link")) {
      try files.holdingLockFile(folder("link")) {}
    }
  }

  @Test("waits only once for the lock file of a running process")
  func lockFileWait() throws {
    let folder = try TemporaryFolder()
    let path = folder("c.lockfile")
    try files.replace(path, with: Array("1 python".utf8), privately: true)
    #expect(throws: FileFailure.self) { try LiveFileSystem(lockTimeout: 0).holdingLockFile(path) {} }
    let time = ContinuousClock().measure {
      for _ in 0..<5 {
        #expect(throws: FileFailure.self) { try LiveFileSystem(lockTimeout: 2).holdingLockFile(path) {} }
      }
    }
    #expect(time < .seconds(2))
    unlink(path)
    #expect(try files.holdingLockFile(path) { 5 } == 5)
  }

  @Test("waits only once for a lock that another process holds")
  func lockWait() throws {
    let folder = try TemporaryFolder()
    let path = folder("lock")
    // Another test's child process must not inherit the lock.
    let holder = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    #expect(flock(holder, LOCK_EX) == 0)
    #expect(throws: FileFailure.self) { try LiveFileSystem(lockTimeout: 0).locked(path) {} }
    let time = ContinuousClock().measure {
      for _ in 0..<5 { #expect(throws: FileFailure.self) { try LiveFileSystem(lockTimeout: 2).locked(path) {} } }
    }
    #expect(time < .seconds(2))
    close(holder)
    #expect(try files.locked(path) { 5 } == 5)
  }

  @Test("removes the link itself but not its target")
  func removingEntries() throws {
    let folder = try TemporaryFolder()
    try files.replace(folder("target"), with: [1], privately: true)
    symlink(folder("target"), folder("link"))
    symlink(folder("nowhere"), folder("broken"))
    mkfifo(folder("pipe"), 0o600)
    for name in ["link", "broken", "pipe"] { try files.removeEntry(folder(name)) }
    #expect(try files.list(folder.path) == ["target"])
    #expect(throws: FileFailure.isDirectory(folder.path)) { try files.removeEntry(folder.path) }
    #expect(throws: FileFailure.notFound(folder("x"))) { try files.removeEntry(folder("x")) }
  }

  @Test(
    "reports who can write to a directory",
    arguments: [
      (0o700, false, false), (0o755, false, false), (0o770, true, false), (0o702, true, false), (0o1777, true, true),
    ])
  func access(mode: Int, isWritable: Bool, isSticky: Bool) throws {
    let folder = try TemporaryFolder()
    try files.makeDirectory(folder("d"), privately: true)
    folder.setMode("d", mode_t(mode))
    #expect(
      files.access(ofDirectory: folder("d"))
        == DirectoryAccess(owner: .user, isWritableByOthers: isWritable, isSticky: isSticky))
    #expect(files.access(ofDirectory: folder("x")) == nil)
    if geteuid() != 0 { #expect(files.access(ofDirectory: "/")?.owner == .system) }
  }

  @Test(
    "removes partial files of killed processes when the file is replaced or a run starts", arguments: [true, false])
  func parts(isReplaced: Bool) throws {
    let folder = try TemporaryFolder()
    let dead = Int32.max
    let remaining = ["f.1.7.part", "f.\(dead).8.part", "f.\(dead).part", "f.mine.7.part", "g.\(dead).7.part"]
    for name in remaining + ["f.\(dead).7.part"] {
      try files.replace(folder(name), with: [1], privately: true)
      // One of the temporary files is recent, because it could belong to a process in another container.
      if name != "f.\(dead).8.part" { try age(folder(name), seconds: 60) }
    }
    if isReplaced {
      try files.replace(folder("f"), with: [2], privately: true)
    } else {
      files.removeAbandonedParts(of: folder("f"))
    }
    #expect(Set(try files.list(folder.path)) == Set(remaining + (isReplaced ? ["f"] : [])))
  }

  private func age(_ path: String, seconds: Int) throws {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let then = timespec(tv_sec: now.tv_sec - seconds, tv_nsec: now.tv_nsec)
    #expect(utimensat(AT_FDCWD, path, [then, then], 0) == 0)
  }
}
