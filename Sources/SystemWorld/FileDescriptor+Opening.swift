import Effects

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

// Opening a named pipe waits for another process, opening a device can have side effects, and reading from either can
// block forever. Therefore, all paths are opened with these functions, except streams that the command line specifies.
extension FileDescriptor {
  /// Opens a regular file for reading.
  static func reading(_ path: String) throws(FileFailure) -> FileDescriptor {
    try regular(path, O_RDONLY)
  }

  /// Opens a regular file. Rejects everything else without waiting.
  /// - Parameter flags: The flags for `open`. `O_NOFOLLOW` rejects symbolic links.
  static func regular(_ path: String, _ flags: CInt, mode: mode_t = 0) throws(FileFailure) -> FileDescriptor {
    // The file type is checked before and after opening, because the file can be replaced in between.
    var found = stat()
    let isFound = flags & O_NOFOLLOW == 0 ? stat(path, &found) == 0 : lstat(path, &found) == 0
    if isFound { try found.requireRegular(path) }
    let file = try FileDescriptor(opening: path, flags | O_NONBLOCK | O_NOCTTY, mode: mode)
    try file.status().requireRegular(path)
    return file
  }

  /// Opens a file, pipe, or device that the user specified as an output. Rejects a pipe that no program reads.
  static func writing(
    _ path: String, _ flags: CInt = 0, mode: mode_t = 0, named name: String? = nil
  ) throws(FileFailure) -> FileDescriptor {
    let number: CInt
    switch uninterrupted({ open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags, mode) }) {
    case .success(let opened): number = opened
    case .failure(let error) where error.number == ENXIO:
      throw .other(name ?? path, reason: "no program reads from this pipe or socket")
    case .failure(let error): throw .system(error.number, name ?? path)
    }
    // Writing must block, so that no output is lost if the other program reads slowly.
    let status = fcntl(number, F_GETFL)
    if status >= 0 { _ = fcntl(number, F_SETFL, status & ~O_NONBLOCK) }
    return FileDescriptor(number, named: name ?? path)
  }
}

extension stat {
  var isRegular: Bool { st_mode & S_IFMT == S_IFREG }

  func requireRegular(_ path: String) throws(FileFailure) {
    switch st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw .isDirectory(path)
    case S_IFIFO: throw .notRegular(path, kind: "named pipe")
    case S_IFSOCK: throw .notRegular(path, kind: "socket")
    case S_IFLNK: throw .notRegular(path, kind: "symbolic link")
    default: throw .notRegular(path, kind: "device")
    }
  }

  /// The time since the content last changed, in nanoseconds.
  var age: Int64 {
    #if canImport(Darwin)
      let modified = st_mtimespec
    #else
      let modified = st_mtim
    #endif
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec - modified.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec - modified.tv_nsec)
  }

  var modificationSecond: Int {
    #if canImport(Darwin)
      Int(st_mtimespec.tv_sec)
    #else
      Int(st_mtim.tv_sec)
    #endif
  }
}
