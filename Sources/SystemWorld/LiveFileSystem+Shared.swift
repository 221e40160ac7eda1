import Effects
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

// Files that other programs also read and write.
extension LiveFileSystem {
  package func revision(of path: String) throws(FileFailure) -> BlobRevision {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let failure = FileFailure.system(errno, path)
      if case .notFound = failure { return .absent }
      throw failure
    }
    return BlobRevision(status)
  }

  package func readState(_ path: String, limit: Int) throws(FileFailure) -> StoredBlob {
    let file: FileDescriptor
    do {
      file = try FileDescriptor.reading(path)
    } catch {
      if case .notFound = error { return StoredBlob(bytes: nil, revision: .absent) }
      throw error
    }
    // The revision is determined before the read, so that a concurrent write results in a different revision.
    let revision = BlobRevision(try file.status())
    return StoredBlob(bytes: try Self.read(file, path, limit: limit), revision: revision)
  }

  package func replaceShared(_ path: String, with bytes: [UInt8]) throws(FileFailure) -> BlobRevision {
    try replace(path, with: bytes, privately: true, dated: Self.timeAhead(size: bytes.count))
    return try revision(of: path)
  }

  package func holdingLockFile<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    // The result is passed through an array, because `Result` is not Sendable and the lock cannot return it.
    var outcome: [Result] = []
    try InProcessLockQueue.of(path).mutex.withLock { _ in
      let lock = try LockFile.acquire(path, timeout: lockTimeout)
      if lock.wasAbandoned {
        let file = path.hasSuffix(".lockfile") ? String(path.dropLast(9)) : path
        PartFile.removeAbandoned(besides: file, isUnused: true)
      }
      do {
        outcome.append(try body())
        lock.release()
      } catch {
        lock.release()
        throw error
      }
    }
    return outcome[0]
  }

  package func moveAside(_ path: String) throws(FileFailure) -> String {
    guard kind(of: path) != nil else { throw .notFound(path) }
    for number in 1... {
      let aside = "\(path).corrupt-\(number)"
      // The new file is created exclusively, so that it does not overwrite an earlier quarantined file.
      let taken = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if taken < 0, errno == EEXIST { continue }
      guard taken >= 0 else { throw .system(errno, aside) }
      close(taken)
      guard rename(path, aside) == 0 else {
        let failure = FileFailure.system(errno, path)
        unlink(aside)
        throw failure
      }
      Self.synchronizeDirectory(of: path)
      return aside
    }
    throw .other(path, reason: "cannot be renamed")
  }

  /// Returns the modification time for a shared file of this size.
  ///
  /// msal-extensions for Python records the precise time after it has parsed the file. It reads the file again only if
  /// the modification time is later. File system times can be up to one tick older than the precise time, and a reader
  /// can start before the file is replaced and finish afterward. The modification time is therefore set ahead by the
  /// time needed to read and parse the file at 20 MB/s.
  private static func timeAhead(size: Int) -> timespec {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let ahead = min(50_000_000 + size * 50, 10_000_000_000)
    let nanoseconds = Int(time.tv_nsec) + ahead
    return timespec(tv_sec: time.tv_sec + nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
  }
}

/// A queue of the threads in this process that wait for the same lock file.
private final class InProcessLockQueue: Sendable {
  let mutex = Mutex(())
  private static let lines = Mutex<[String: InProcessLockQueue]>([:])

  static func of(_ path: String) -> InProcessLockQueue {
    lines.withLock { lines in
      let line = lines[path] ?? InProcessLockQueue()
      lines[path] = line
      return line
    }
  }
}

extension BlobRevision {
  /// Creates a revision from the device, inode, size, and times of a file.
  init(_ status: stat) {
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let age = Self.nanoseconds(now) &- Self.nanoseconds(changed)
    // Two changes within one tick (up to 10 ms, or 2 s on file systems with whole seconds) result in the same times. A
    // write sets both times to the same value. If the times differ, a program set the modification time explicitly, and
    // the next write changes it.
    let isFine = modified.tv_nsec != 0 || changed.tv_nsec != 0
    let isSettled = isFine && Self.nanoseconds(modified) != Self.nanoseconds(changed)
    self.init(
      [
        Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino), Int64(status.st_size),
        Self.nanoseconds(modified), Self.nanoseconds(changed),
      ], isSettled: isSettled || age > (isFine ? 50_000_000 : 2_100_000_000))
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
