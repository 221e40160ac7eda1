import Effects

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The file system. Relative paths are resolved against the process's working directory.
package struct LiveFileSystem: FileSystem {
  /// The paths that can be read even if they are not regular files.
  private let streams: Set<String>
  /// The timeout for locks held by other processes, in seconds.
  let lockTimeout: Int

  /// - Parameter streams: The pipes and devices that the command line specifies as input.
  package init(streams: Set<String> = [], lockTimeout: Int = 30) {
    self.streams = streams
    self.lockTimeout = lockTimeout
  }

  package func read(_ path: String, limit: Int) throws(FileFailure) -> [UInt8] {
    try Self.read(reading(path), path, limit: limit)
  }

  private func reading(_ path: String) throws(FileFailure) -> FileDescriptor {
    guard streams.contains(path) else { return try .reading(path) }
    let file = try FileDescriptor(opening: path, O_RDONLY | O_NOCTTY)
    if try file.status().st_mode & S_IFMT == S_IFDIR { throw .isDirectory(path) }
    return file
  }

  package func prefix(of path: String, count: Int) throws(FileFailure) -> [UInt8] {
    let file = try reading(path)
    var bytes: [UInt8] = []
    while bytes.count < count {
      let part = try file.read(count - bytes.count)
      if part.isEmpty { break }
      bytes += part
    }
    return bytes
  }

  package func readPieces(of path: String, _ body: ([UInt8]) -> Bool) throws(FileFailure) {
    let file = try reading(path)
    while true {
      let piece = try file.read(1 << 18)
      if piece.isEmpty || !body(piece) { return }
    }
  }

  static func read(_ file: FileDescriptor, _ path: String, limit: Int) throws(FileFailure) -> [UInt8] {
    let status = try file.status()
    if status.isRegular, Int(status.st_size) > limit { throw .tooLarge(path, limit: limit) }
    // A pipe has no size, and a file can grow during the read. Only the bytes that were read count.
    let expected = status.isRegular ? Int(status.st_size) : 0
    // One byte beyond the limit is read to detect larger files.
    let most = min(max(limit, 0), .max - 1) + 1
    var bytes: [UInt8] = []
    while true {
      let chunk = max(65_536, expected - bytes.count + 1)
      let part = try file.read(min(chunk, most - bytes.count))
      if part.isEmpty { return bytes }
      if bytes.isEmpty { bytes = part } else { bytes += part }
      if bytes.count > limit { throw .tooLarge(path, limit: limit) }
    }
  }

  package func replace(_ path: String, with bytes: [UInt8], privately: Bool) throws(FileFailure) {
    try replace(path, with: bytes, privately: privately, dated: nil)
  }

  /// - Parameter time: The modification time to set.
  func replace(
    _ path: String, with bytes: [UInt8], privately: Bool, dated time: timespec?
  ) throws(FileFailure) {
    // If the path is a symbolic link, its target is replaced, not the link.
    let target = Self.resolved(path)
    let existing = Self.status(target)
    if let existing {
      if privately || existing.st_mode & S_IFMT == S_IFDIR { try existing.requireRegular(path) }
      if !existing.isRegular {
        // A terminal or pipe cannot be replaced, only written to.
        let device = try FileDescriptor.writing(target, named: path)
        try device.write(bytes)
        return try device.close()
      }
    }
    // Temporary files that killed processes left behind are removed to free disk space.
    PartFile.removeAbandoned(besides: target)
    let temporary = PartFile.path(besides: target)
    let file = try FileDescriptor(
      opening: temporary, O_WRONLY | O_CREAT | O_EXCL, mode: privately ? 0o600 : 0o666, named: path)
    do throws(FileFailure) {
      if !privately, let existing { fchmod(file.number, existing.st_mode & 0o777) }
      try file.write(bytes)
      try file.synchronize()
      if let time { file.setTimes(time) }
      try file.close()
      guard rename(temporary, target) == 0 else { throw .system(errno, path) }
    } catch {
      unlink(temporary)
      throw error
    }
    Self.synchronizeDirectory(of: target)
  }

  package func appender(to path: String) throws(FileFailure) -> any FileAppender {
    LiveAppender(try FileDescriptor.writing(path, O_CREAT | O_TRUNC | O_APPEND, mode: 0o666))
  }

  package func kind(of path: String) -> FileKind? {
    guard let status = Self.status(path) else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .directory
    default: return .other
    }
  }

  package func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  package func realPath(of path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  package func list(_ directory: String) throws(FileFailure) -> [String] {
    guard let stream = opendir(directory) else {
      if errno == ENOTDIR { throw .other(directory, reason: "is not a directory") }
      throw .system(errno, directory)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw .system(errno, directory) }
        return names.sorted()
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  package func makeDirectory(_ path: String, privately: Bool) throws(FileFailure) {
    if mkdir(path, privately ? 0o700 : 0o777) == 0 { return }
    let failure = errno
    switch failure {
    case EEXIST:
      if kind(of: path) != .directory { throw .other(path, reason: "a file with this name exists") }
    case ENOENT:
      guard let above = Self.directory(of: path), above != path else { throw .system(failure, path) }
      try makeDirectory(above, privately: privately)
      // Another process may have created the directory in the meantime.
      if mkdir(path, privately ? 0o700 : 0o777) != 0, kind(of: path) != .directory { throw .system(errno, path) }
    case ENOTDIR: throw .other(path, reason: "a file with this name exists")
    default: throw .system(failure, path)
    }
  }

  package func remove(_ path: String) throws(FileFailure) {
    if kind(of: path) == .directory { throw .isDirectory(path) }
    // If the path is a symbolic link, its target is removed, because the content must be deleted.
    guard unlink(Self.resolved(path)) == 0 else { throw .system(errno, path) }
  }

  package func removeEntry(_ path: String) throws(FileFailure) {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw .system(errno, path) }
    if status.st_mode & S_IFMT == S_IFDIR { throw .isDirectory(path) }
    guard unlink(path) == 0 else { throw .system(errno, path) }
  }

  package func removeAbandonedParts(of path: String) { PartFile.removeAbandoned(besides: Self.resolved(path)) }

  package func access(ofDirectory path: String) -> DirectoryAccess? {
    guard let status = Self.status(path), status.st_mode & S_IFMT == S_IFDIR else { return nil }
    return DirectoryAccess(
      owner: status.st_uid == geteuid() ? .user : status.st_uid == 0 ? .system : .other,
      isWritableByOthers: status.st_mode & 0o022 != 0, isSticky: status.st_mode & 0o1000 != 0)
  }

  package func locked<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    let file = try FileDescriptor.regular(path, O_RDWR | O_CREAT, mode: 0o600)
    try file.lock(timeout: lockTimeout)
    // Closing the file releases the lock, even if the process is killed.
    defer {
      file.unlock()
      file.abandon()
    }
    return try body()
  }

  /// Removes permissions from a file. Follows symbolic links.
  /// - Returns: Whether the file had any of these permissions.
  package func takeRights(_ rights: mode_t, from path: String) throws(FileFailure) -> Bool {
    guard let status = Self.status(path) else { throw .system(errno, path) }
    guard status.st_mode & rights != 0 else { return false }
    guard chmod(path, status.st_mode & 0o7777 & ~rights) == 0 else { throw .system(errno, path) }
    return true
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  private static func resolved(_ path: String) -> String {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, let real = realpath(path, nil) else {
      return path
    }
    defer { free(real) }
    return String(cString: real)
  }

  /// Returns the parent directory of `path`, or nil if the path contains only a name.
  private static func directory(of path: String) -> String? {
    var path = Substring(path)
    while path.count > 1, path.last == "/" { path.removeLast() }
    guard let slash = path.lastIndex(of: "/") else { return nil }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Flushes a rename to the device. Has no effect on file systems that do not support this operation.
  static func synchronizeDirectory(of path: String) {
    let directory = open(directory(of: path) ?? ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }
}
