import Effects
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The lock of Microsoft's msal-extensions: a file that is there as long as somebody holds it.
///
/// Who makes the file, exclusively, has the lock. Python's holders then either lock it with `flock` too (with portalocker
/// installed) or not at all; all write `<process> <program>` into it and remove it in the end. This holder does all of it,
/// and holds `flock` as long as the file is there, so that what a process that died left behind can be told from a lock in
/// use: nobody has it locked, and the process that it names is gone, or it has named none for longer than anybody needs.
/// Such a file is taken over rather than removed, because who removed it could remove the one that came in its place.
///
/// Python looks for the lock four times a second, for five seconds; after that it fails, or takes a way on which two can
/// hold it. So whoever waits here looks little more often, and whoever has just had the lock leaves it free for as long as
/// he had it: Python finds gaps. Within this process all wait in one line, of which the first looks.
struct LockFile: ~Copyable {
  private let file: FileDescriptor
  private let path: String
  private let text: [UInt8]
  private let since = MonotonicTime.now
  /// When this process gave each lock back, and how long it had had it; in nanoseconds.
  private static let releases = Mutex<[String: (time: Int64, held: Int64)]>([:])
  /// Whether its last holder died with it.
  let wasAbandoned: Bool

  private init(_ file: FileDescriptor, _ path: String, wasAbandoned: Bool) throws(FileFailure) {
    self.file = file
    self.path = path
    self.wasAbandoned = wasAbandoned
    // Python writes no line end: by it a lock of this make is known.
    text = Array("\(getpid()) \(CommandLine.arguments.first ?? "authflow")\n".utf8)
    do {
      try file.write(text)
    } catch {
      // A full disk: the file that does not say whose it is would make everybody wait.
      if Self.isSame(file, path) { unlink(path) }
      throw error
    }
  }

  /// - Parameter patience: seconds until it is given up.
  static func acquire(_ path: String, patience: Int) throws(FileFailure) -> LockFile {
    var suspicion = StaleLockDetector()
    leaveGap(path)
    let start = MonotonicTime.now
    let isLost = LostLocks.contains(path)
    for attempt in 0... {
      if let file = try create(path) {
        if isHeld(file, at: path, tries: 100) {
          LostLocks.remove(path)
          return try LockFile(file, path, wasAbandoned: false)
        }
      } else if attempt >= 3, let file = try suspicion.abandoned(path) {
        LostLocks.remove(path)
        return try LockFile(file, path, wasAbandoned: true)
      }
      if attempt >= 3, isLost || MonotonicTime.now - start > Int64(patience) * 1_000_000_000 {
        LostLocks.insert(path)
        throw .other(
          path,
          reason: "\(suspicion.holder ?? "another process") has held this lock for \(patience) seconds; "
            + "delete the file if no such program is running")
      }
      // A millisecond at first, for most need less; then much more, and not in step with others who wait.
      usleep(attempt < 3 ? 1_000 : .random(in: 20_000...200_000))
    }
    throw .other(path, reason: "cannot be locked")
  }

  /// Gives the lock back.
  ///
  /// Python with portalocker waits, after five seconds, for `flock` on the file that it finds, which it empties as it opens
  /// it. It would get the lock of a file that nobody else sees if the file were removed then; so the file is left to it.
  consuming func release() {
    let isWaitedFor = (try? file.status().st_size).map { Int($0) != text.count } ?? false
    if isWaitedFor {
      ftruncate(file.number, 0)
    } else if Self.isSame(file, path) {
      unlink(path)
    }
    file.unlock()
    file.abandon()
    let now = MonotonicTime.now
    Self.releases.withLock { releases in
      if releases.count > 100 { releases = releases.filter { now - $0.value.time < 1_000_000_000 } }
      releases[path] = (now, now - since)
    }
  }

  private static func leaveGap(_ path: String) {
    guard let last = releases.withLock({ $0[path] }) else { return }
    let wait = last.time + min(last.held, 250_000_000) - MonotonicTime.now
    if wait > 0 { usleep(UInt32(wait / 1_000)) }
  }

  /// The file, if it was not there.
  private static func create(_ path: String) throws(FileFailure) -> FileDescriptor? {
    let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if number >= 0 { return FileDescriptor(number, named: path) }
    if errno == EEXIST || errno == EINTR { return nil }
    throw .system(errno, path)
  }

  /// Takes `flock`, and makes sure that the file still is the one that others find.
  fileprivate static func isHeld(_ file: FileDescriptor, at path: String, tries: Int) -> Bool {
    for attempt in 1...tries {
      if flock(file.number, LOCK_EX | LOCK_NB) == 0 { return isSame(file, path) }
      // Somebody may just be looking whether the file is abandoned.
      if attempt < tries { usleep(200) }
    }
    return false
  }

  private static func isSame(_ file: FileDescriptor, _ path: String) -> Bool {
    var found = stat()
    guard let own = try? file.status(), lstat(path, &found) == 0 else { return false }
    return own.st_ino == found.st_ino && own.st_dev == found.st_dev
  }
}

/// What is known of a lock file that somebody else made.
private struct StaleLockDetector {
  private struct Snapshot: Equatable {
    var node: UInt64
    var size: Int64
    var modified: Int
    var content: [UInt8]
  }

  private var last: (sight: Snapshot, since: Int64)?
  /// Who holds it, as the file says.
  private(set) var holder: String?

  /// The file, locked, if it is clear that nobody holds it any more.
  mutating func abandoned(_ path: String) throws(FileFailure) -> FileDescriptor? {
    let file: FileDescriptor
    do {
      file = try FileDescriptor.regular(path, O_RDWR | O_NOFOLLOW)
    } catch {
      if case .notFound = error { return nil }
      throw error
    }
    guard LockFile.isHeld(file, at: path, tries: 1) else {
      last = nil
      return nil
    }
    let status = try file.status()
    let content = try file.read(4_096)
    let sight = Snapshot(
      node: UInt64(status.st_ino), size: Int64(status.st_size), modified: status.modificationSecond, content: content)
    let now = MonotonicTime.now
    if last?.sight != sight { last = (sight, now) }
    let unchangedFor = max(now - (last?.since ?? now), status.age)
    let text = String(decoding: content, as: UTF8.self)
    let isAbandoned: Bool
    if let process = text.split(separator: " ").first.flatMap({ pid_t($0) }), process > 0 {
      holder = "process \(text.split(separator: "\n").first ?? "")"
      // Our own process, too, has every file locked that it holds.
      isAbandoned =
        text.hasSuffix("\n") || process == getpid()
        || !ProcessLiveness.isAlive(process, since: status.modificationSecond) && unchangedFor > 1_000_000_000
    } else {
      // Made and not written yet, which takes no time; or its maker died just then.
      holder = nil
      isAbandoned = unchangedFor > 2_000_000_000
    }
    guard isAbandoned, ftruncate(file.number, 0) == 0, lseek(file.number, 0, SEEK_SET) == 0 else {
      file.abandon()
      return nil
    }
    return file
  }
}
