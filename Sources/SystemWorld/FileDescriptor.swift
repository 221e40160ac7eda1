import Effects
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An open file, closed when nobody holds it any more. Failures name the path as it was asked for.
final class FileDescriptor: Sendable {
  let number: CInt
  private let path: String
  private let isOpen = Mutex(true)

  /// - Parameter name: the path to say in failures, where another is opened on its behalf.
  init(opening path: String, _ flags: CInt, mode: mode_t = 0, named name: String? = nil) throws(FileFailure) {
    self.path = name ?? path
    switch uninterrupted({ open(path, flags | O_CLOEXEC, mode) }) {
    case .success(let number): self.number = number
    case .failure(let error): throw .system(error.number, name ?? path)
    }
  }

  /// A file that is open already.
  init(_ number: CInt, named path: String) {
    self.number = number
    self.path = path
  }

  deinit { abandon() }

  func status() throws(FileFailure) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .system(errno, path) }
    return status
  }

  /// At most `count` bytes; none at the end.
  func read(_ count: Int) throws(FileFailure) -> [UInt8] {
    var failure: FileFailure?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      switch uninterrupted({ Self.systemRead(number, buffer.baseAddress, count) }) {
      case .success(let count): filled = count
      case .failure(let error): failure = .system(error.number, path)
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// All bytes, however many calls it takes.
  func write(_ bytes: [UInt8]) throws(FileFailure) {
    var failure: FileFailure?
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        switch uninterrupted({ Self.systemWrite(number, UnsafeRawBufferPointer(rebasing: rest)) }) {
        case .success(let count): rest = rest.dropFirst(count)
        case .failure(let error):
          failure = .system(error.number, path)
          return
        }
      }
    }
    if let failure { throw failure }
  }

  /// Hands the bytes to the device, so that they survive a power cut.
  func synchronize() throws(FileFailure) {
    guard fsync(number) == 0 || errno == EINVAL || errno == ENOTSUP else { throw .system(errno, path) }
  }

  /// Sets the times at which the content was read and changed last, where the file system lets us.
  func setTimes(_ time: timespec) {
    futimens(number, [time, time])
  }

  /// Closes, and says whether the system could keep what was written.
  func close() throws(FileFailure) {
    guard markClosed() else { return }
    // EINTR leaves the descriptor closed on Linux; closing again could hit somebody else's.
    if Self.systemClose(number) != 0, errno != EINTR { throw .system(errno, path) }
  }

  /// Closes, whatever became of what was written.
  func abandon() {
    if markClosed() { _ = Self.systemClose(number) }
  }

  /// Waits for the exclusive lock on this file, which other processes and other openings respect.
  /// - Parameter patience: seconds until it is given up.
  func lock(patience: Int) throws(FileFailure) {
    let attempts = LostLocks.contains(path) ? 0 : patience * 50
    for attempt in 0... {
      switch uninterrupted({ flock(number, LOCK_EX | LOCK_NB) }) {
      case .success:
        LostLocks.remove(path)
        return
      case .failure(let error) where error.number == EWOULDBLOCK:
        // 1 ms at first, then 20 ms: most holders need less than the first.
        if attempt >= attempts {
          LostLocks.insert(path)
          throw .other(path, reason: "another process has held this lock for \(patience) seconds")
        }
        usleep(attempt < 20 ? 1_000 : 20_000)
      case .failure(let error): throw .system(error.number, path)
      }
    }
  }

  /// Gives the lock back now: closing alone leaves it to a child process that was made meanwhile, until that has started its
  /// program.
  func unlock() {
    flock(number, LOCK_UN)
  }

  private func markClosed() -> Bool {
    isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
  }

  // The C functions have the names of this class's own.
  static func systemRead(_ number: CInt, _ address: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    guard let address else { return 0 }
    #if canImport(Darwin)
      return Darwin.read(number, address, count)
    #elseif canImport(Musl)
      return Musl.read(number, address, count)
    #else
      return Glibc.read(number, address, count)
    #endif
  }

  static func systemWrite(_ number: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      return Darwin.write(number, bytes.baseAddress, bytes.count)
    #elseif canImport(Musl)
      return Musl.write(number, bytes.baseAddress, bytes.count)
    #else
      return Glibc.write(number, bytes.baseAddress, bytes.count)
    #endif
  }

  private static func systemClose(_ number: CInt) -> CInt {
    #if canImport(Darwin)
      return Darwin.close(number)
    #elseif canImport(Musl)
      return Musl.close(number)
    #else
      return Glibc.close(number)
    #endif
  }
}

/// A file written line by line: each line is with the system when `append` returns, so killing the process loses none. What
/// a full disk takes of a line only in part is taken back, so that the lines before it stay a whole file.
final class LiveAppender: FileAppender {
  private let file: FileDescriptor
  /// The bytes of the whole lines.
  private let length = Mutex(0)

  init(_ file: FileDescriptor) {
    self.file = file
  }

  func append(_ bytes: [UInt8]) throws(FileFailure) {
    try length.withLock { length throws(FileFailure) in
      do throws(FileFailure) {
        try file.write(bytes)
        length += bytes.count
      } catch {
        // A pipe has nothing to take back.
        ftruncate(file.number, off_t(length))
        throw error
      }
    }
  }

  func close() { file.abandon() }
}
