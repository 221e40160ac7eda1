import Effects
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A lock that is compatible with Microsoft's msal-extensions. The lock file exists while a process holds the lock.
///
/// A process acquires the lock by creating the file exclusively. Python's msal-extensions writes `<process> <program>`
/// into the file, locks the file with `flock` if portalocker is installed, and removes the file to release the lock.
/// This type does the same, but always uses `flock`. A lock file is abandoned if no process has locked it with `flock`
/// and its owner no longer exists. A file without an owner is abandoned after the time that a process needs to write
/// its ID. This type takes over an abandoned file instead of removing it, because another process could have replaced
/// the file.
///
/// Python retries four times per second for five seconds. Then Python fails or uses a method that does not prevent two
/// processes from owning the lock. This type therefore retries rarely, and after each release it leaves the lock free
/// for as long as it held the lock. Within this process, waiting threads queue, and only the first thread retries.
struct LockFile: ~Copyable {
  private let file: FileDescriptor
  private let path: String
  private let text: [UInt8]
  private let since = MonotonicTime.now
  /// For each lock, the time when this process last released it and how long the process had held it, in nanoseconds.
  private static let releases = Mutex<[String: (time: Int64, held: Int64)]>([:])
  /// Whether the previous owner terminated without releasing the lock.
  let wasAbandoned: Bool

  private init(_ file: FileDescriptor, _ path: String, wasAbandoned: Bool) throws(FileFailure) {
    self.file = file
    self.path = path
    self.wasAbandoned = wasAbandoned
    // The line break distinguishes authflow's files from Python's files, which do not end in a line break.
    text = Array("\(getpid()) \(CommandLine.arguments.first ?? "authflow")\n".utf8)
    do {
      try file.write(text)
    } catch {
      // If the disk is full, the file is removed, because a lock file without an owner would block all other processes.
      if Self.isSame(file, path) { unlink(path) }
      throw error
    }
  }

  /// - Parameter timeout: The timeout in seconds.
  static func acquire(_ path: String, timeout: Int) throws(FileFailure) -> LockFile {
    var staleDetector = StaleLockDetector()
    leaveGap(path)
    let start = MonotonicTime.now
    let isLost = LostLocks.contains(path)
    for attempt in 0... {
      if let file = try create(path) {
        if isHeld(file, at: path, tries: 100) {
          LostLocks.remove(path)
          return try LockFile(file, path, wasAbandoned: false)
        }
      } else if attempt >= 3, let file = try staleDetector.abandoned(path) {
        LostLocks.remove(path)
        return try LockFile(file, path, wasAbandoned: true)
      }
      if attempt >= 3, isLost || MonotonicTime.now - start > Int64(timeout) * 1_000_000_000 {
        LostLocks.insert(path)
        throw .other(
          path,
          reason: "\(staleDetector.holder ?? "another process") has held this lock for \(timeout) seconds; "
            + "delete the file if no such program is running")
      }
      // At first, wait only 1 ms, because most owners release the lock within that time. Later waits are much longer
      // and random, to avoid contention.
      usleep(attempt < 3 ? 1_000 : .random(in: 20_000...200_000))
    }
    throw .other(path, reason: "cannot be locked")
  }

  /// Releases the lock.
  ///
  /// After five seconds, Python with portalocker opens and truncates the existing file and waits for `flock`. If the
  /// file were removed at this point, Python would lock a file that no other process can find. In this case, the file
  /// is therefore not removed.
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

  /// Creates the file, or returns nil if it exists.
  private static func create(_ path: String) throws(FileFailure) -> FileDescriptor? {
    let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if number >= 0 { return FileDescriptor(number, named: path) }
    if errno == EEXIST || errno == EINTR { return nil }
    throw .system(errno, path)
  }

  /// Tries to lock the file with `flock`, and checks that the path still refers to this file.
  fileprivate static func isHeld(_ file: FileDescriptor, at path: String, tries: Int) -> Bool {
    for attempt in 1...tries {
      if flock(file.number, LOCK_EX | LOCK_NB) == 0 { return isSame(file, path) }
      // Another process may hold `flock` briefly to check whether the file is abandoned.
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

/// Determines whether another process abandoned its lock file.
private struct StaleLockDetector {
  private struct Snapshot: Equatable {
    var node: UInt64
    var size: Int64
    var modified: Int
    var content: [UInt8]
  }

  private var last: (sight: Snapshot, since: Int64)?
  /// The holder that is specified in the file.
  private(set) var holder: String?

  /// Locks and returns the file if it is abandoned. Otherwise, returns nil.
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
      // This process uses `flock` for every lock file that it owns.
      isAbandoned =
        text.hasSuffix("\n") || process == getpid()
        || !ProcessLiveness.isAlive(process, since: status.modificationSecond) && unchangedFor > 1_000_000_000
    } else {
      // The file does not specify an owner yet, or its creator terminated before it wrote the owner.
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
