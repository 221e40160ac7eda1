import Effects
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An open file that is closed when the last reference is released. Errors contain the path that the caller passed.
final class FileDescriptor: Sendable {
  let number: CInt
  private let path: String
  private let isOpen = Mutex(true)

  /// - Parameter name: The path in errors, if it differs from the opened path.
  init(opening path: String, _ flags: CInt, mode: mode_t = 0, named name: String? = nil) throws(FileFailure) {
    self.path = name ?? path
    switch uninterrupted({ open(path, flags | O_CLOEXEC, mode) }) {
    case .success(let number): self.number = number
    case .failure(let error): throw .system(error.number, name ?? path)
    }
  }

  /// Creates an instance for a file that is already open.
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

  /// Reads at most `count` bytes. An empty result indicates the end of the file.
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

  /// Writes all bytes, with several system calls if necessary.
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

  /// Flushes the file to the device, so that the data survives a power failure.
  func synchronize() throws(FileFailure) {
    guard fsync(number) == 0 || errno == EINVAL || errno == ENOTSUP else { throw .system(errno, path) }
  }

  /// Sets the access and modification times, if the file system permits it.
  func setTimes(_ time: timespec) {
    futimens(number, [time, time])
  }

  /// Closes the file.
  /// - Throws: An error if the system could not store the written data.
  func close() throws(FileFailure) {
    guard markClosed() else { return }
    // On Linux, the descriptor is closed even after EINTR. A second call could close another thread's descriptor.
    if Self.systemClose(number) != 0, errno != EINTR { throw .system(errno, path) }
  }

  /// Closes the file and ignores errors.
  func abandon() {
    if markClosed() { _ = Self.systemClose(number) }
  }

  /// Waits for the exclusive lock on this file (`flock`).
  /// - Parameter timeout: The timeout in seconds.
  func lock(timeout: Int) throws(FileFailure) {
    let attempts = LostLocks.contains(path) ? 0 : timeout * 50
    for attempt in 0... {
      switch uninterrupted({ flock(number, LOCK_EX | LOCK_NB) }) {
      case .success:
        LostLocks.remove(path)
        return
      case .failure(let error) where error.number == EWOULDBLOCK:
        // At first, wait only 1 ms, because most owners release the lock within that time. Later, wait 20 ms.
        if attempt >= attempts {
          LostLocks.insert(path)
          throw .other(path, reason: "another process has held this lock for \(timeout) seconds")
        }
        usleep(attempt < 20 ? 1_000 : 20_000)
      case .failure(let error): throw .system(error.number, path)
      }
    }
  }

  /// Releases the lock immediately. If this process only closed the file, a newly forked child process would keep the
  /// lock until it executes a program.
  func unlock() {
    flock(number, LOCK_UN)
  }

  private func markClosed() -> Bool {
    isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
  }

  // These functions call C functions that have the same names as methods of this class.
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

/// A file to which lines are appended. Each line is passed to the system before `append` returns, so no lines are lost
/// if the process is killed. If the disk is full, the appender removes the partial line.
final class LiveAppender: FileAppender {
  private let file: FileDescriptor
  /// The total length of the complete lines, in bytes.
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
        // A pipe cannot be truncated.
        ftruncate(file.number, off_t(length))
        throw error
      }
    }
  }

  func close() { file.abandon() }
}
