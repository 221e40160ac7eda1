import Effects
import Synchronization

/// An in-memory file system that behaves like a real one. Parent directories must exist, directories are not files, and
/// each kind of failure throws a specific error.
package final class MemoryFileSystem: FileSystem {
  private enum Entry {
    case file([UInt8], isPrivate: Bool)
    case directory(isPrivate: Bool)
  }

  private struct State {
    var entries: [String: Entry] = ["/": .directory(isPrivate: false)]
    var failures: [String: FileFailure] = [:]
    var capacity = Int.max
    /// The paths of read-only files.
    var readOnly: Set<String> = []
    /// The targets of symbolic links, by path.
    var links: [String: String] = [:]
    /// The paths of pipes and devices.
    var special: Set<String> = []
    /// The simulated access of other users to directories, by path.
    var access: [String: DirectoryAccess] = [:]
    var locks: [String: PathLock] = [:]
    var changes: Int64 = 0
    /// The sequence number of the last change to each file, by path.
    var written: [String: Int64] = [:]
  }

  /// A lock for a path. This is a class because a mutex cannot be copied out of a dictionary.
  private final class PathLock: Sendable {
    let mutex = Mutex(())
  }

  private let state = Mutex(State())
  private let workingDirectory: String

  /// - Parameter files: The content of the initial files by path. Parent directories are created.
  package init(_ files: [String: [UInt8]] = [:], workingDirectory: String = "/") {
    self.workingDirectory = workingDirectory
    let home = Self.normalized(workingDirectory, in: "/")
    state.withLock { state in
      Self.makeDirectories(home, isPrivate: false, &state)
      for (path, bytes) in files {
        let path = Self.normalized(path, in: home)
        Self.makeDirectories(Self.parent(of: path), isPrivate: false, &state)
        state.entries[path] = .file(bytes, isPrivate: false)
      }
    }
  }

  /// Creates a file system with text files.
  package convenience init(texts: [String: String], workingDirectory: String = "/") {
    self.init(texts.mapValues { Array($0.utf8) }, workingDirectory: workingDirectory)
  }

  /// Makes every access to a path fail with an error. If the error is nil, access succeeds again.
  package func fail(_ path: String, with failure: FileFailure?) {
    let path = normalized(path)
    state.withLock { $0.failures[path] = failure }
  }

  /// Makes a path read-only.
  package func refuseWriting(_ path: String) {
    let path = normalized(path)
    state.withLock { _ = $0.readOnly.insert(path) }
  }

  /// Creates a pipe that no process writes to.
  package func makeSpecial(_ path: String) {
    let path = normalized(path)
    state.withLock { state in
      state.entries[path] = .file([], isPrivate: false)
      state.special.insert(path)
    }
  }

  /// Simulates a directory that belongs to another user or that other users can write to.
  package func setAccess(_ access: DirectoryAccess?, ofDirectory path: String) {
    let path = normalized(path)
    state.withLock { $0.access[path] = access }
  }

  /// Sets the total capacity in bytes. Writes that exceed the capacity fail with `noSpace`.
  package func setCapacity(_ bytes: Int) {
    state.withLock { $0.capacity = bytes }
  }

  /// Creates a symbolic link to a file.
  package func link(_ path: String, to target: String) {
    let place = Self.normalized(path, in: workingDirectory)
    let target = Self.normalized(target, in: workingDirectory)
    state.withLock { state in
      Self.makeDirectories(Self.parent(of: place), isPrivate: false, &state)
      state.entries[place] = .file([], isPrivate: false)
      state.links[place] = target
    }
  }

  package func isLink(_ path: String) -> Bool {
    let place = Self.normalized(path, in: workingDirectory)
    return state.withLock { $0.links[place] != nil }
  }

  /// The sorted paths of all files.
  package var paths: [String] {
    state.withLock { state in
      state.entries.compactMap { if case .file = $0.value { $0.key } else { nil } }.sorted()
    }
  }

  /// Returns the text of a file, or nil if the file does not exist.
  package func text(_ path: String) -> String? {
    let path = normalized(path)
    return state.withLock { state in
      guard case .file(let bytes, _) = state.entries[path] else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Whether only the owner can read a file or directory.
  package func isPrivate(_ path: String) -> Bool {
    let path = normalized(path)
    return state.withLock { state in
      switch state.entries[path] {
      case .file(_, let isPrivate), .directory(let isPrivate): isPrivate
      case nil: false
      }
    }
  }

  package func read(_ path: String, limit: Int) throws(FileFailure) -> [UInt8] {
    let key = normalized(path)
    let result = state.withLock { state -> Result<[UInt8], FileFailure> in
      if let failure = state.failures[key] { return .failure(failure) }
      switch state.entries[key] {
      case nil: return .failure(.notFound(path))
      case .directory: return .failure(.isDirectory(path))
      case .file where state.special.contains(key): return .failure(.notRegular(path, kind: "named pipe"))
      case .file(let bytes, _):
        return bytes.count > limit ? .failure(.tooLarge(path, limit: limit)) : .success(bytes)
      }
    }
    return try result.get()
  }

  package func prefix(of path: String, count: Int) throws(FileFailure) -> [UInt8] {
    Array(try read(path, limit: .max).prefix(max(count, 0)))
  }

  package func replace(_ path: String, with bytes: [UInt8], privately: Bool) throws(FileFailure) {
    let key = normalized(path)
    try state.withLock { state in Self.write(bytes, to: key, named: path, isPrivate: privately, &state) }.get()
  }

  package func appender(to path: String) throws(FileFailure) -> any FileAppender {
    let key = normalized(path)
    try state.withLock { state in Self.write([], to: key, named: path, isPrivate: false, &state) }.get()
    return Appender(files: self, path: path)
  }

  package func kind(of path: String) -> FileKind? {
    let key = normalized(path)
    return state.withLock { state in
      switch state.entries[key] {
      case nil: nil
      case .file: state.special.contains(key) ? .other : .file
      case .directory: .directory
      }
    }
  }

  package func realPath(of path: String) -> String? {
    let path = normalized(path)
    return state.withLock { state in state.entries[path] == nil ? nil : path }
  }

  package func list(_ directory: String) throws(FileFailure) -> [String] {
    let key = normalized(directory)
    let result = state.withLock { state -> Result<[String], FileFailure> in
      switch state.entries[key] {
      case nil: return .failure(.notFound(directory))
      case .file: return .failure(.other(directory, reason: "is not a directory"))
      case .directory:
        let prefix = key == "/" ? "/" : key + "/"
        let names = state.entries.keys.filter { $0.hasPrefix(prefix) && $0 != key }
          .map { $0.dropFirst(prefix.count) }.filter { !$0.contains("/") }.map(String.init)
        return .success(names.sorted())
      }
    }
    return try result.get()
  }

  package func makeDirectory(_ path: String, privately: Bool) throws(FileFailure) {
    let key = normalized(path)
    let result = state.withLock { state -> Result<Void, FileFailure> in
      var above = key
      while above != "/" {
        if case .file = state.entries[above] { return .failure(.other(path, reason: "a file with this name exists")) }
        above = Self.parent(of: above)
      }
      Self.makeDirectories(key, isPrivate: privately, &state)
      return .success(())
    }
    try result.get()
  }

  package func remove(_ path: String) throws(FileFailure) {
    let key = normalized(path)
    let result = state.withLock { state -> Result<Void, FileFailure> in
      if let failure = state.failures[key] { return .failure(failure) }
      switch state.entries[key] {
      case nil: return .failure(.notFound(path))
      case .directory: return .failure(.isDirectory(path))
      case .file:
        state.entries[key] = nil
        state.special.remove(key)
        return .success(())
      }
    }
    try result.get()
  }

  package func removeEntry(_ path: String) throws(FileFailure) {
    let place = Self.normalized(path, in: workingDirectory)
    let isLink = state.withLock { state in
      guard state.links.removeValue(forKey: place) != nil else { return false }
      state.entries[place] = nil
      return true
    }
    if !isLink { try remove(path) }
  }

  package func access(ofDirectory path: String) -> DirectoryAccess? {
    guard kind(of: path) == .directory else { return nil }
    let key = normalized(path)
    return state.withLock { $0.access[key] } ?? DirectoryAccess(owner: .user)
  }

  package func locked<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    let key = normalized(path)
    let lock = state.withLock { state in
      let lock = state.locks[key] ?? PathLock()
      state.locks[key] = lock
      return lock
    }
    // The result is passed through an array, because `Result` is not Sendable and the lock cannot return it.
    var outcome: [Result] = []
    try lock.mutex.withLock { _ in outcome.append(try body()) }
    return outcome[0]
  }

  package func revision(of path: String) throws(FileFailure) -> BlobRevision {
    let key = normalized(path)
    return try state.withLock { state -> Swift.Result<BlobRevision, FileFailure> in
      if let failure = state.failures[key] { return .failure(failure) }
      guard state.entries[key] != nil else { return .success(.absent) }
      return .success(BlobRevision([state.written[key] ?? 0], isSettled: true))
    }.get()
  }

  package func readState(_ path: String, limit: Int) throws(FileFailure) -> StoredBlob {
    let revision = try revision(of: path)
    do {
      return StoredBlob(bytes: try read(path, limit: limit), revision: revision)
    } catch {
      if case .notFound = error { return StoredBlob(bytes: nil, revision: .absent) }
      throw error
    }
  }

  package func replaceShared(_ path: String, with bytes: [UInt8]) throws(FileFailure) -> BlobRevision {
    try replace(path, with: bytes, privately: true)
    return try revision(of: path)
  }

  package func holdingLockFile<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    try locked(path, body)
  }

  package func moveAside(_ path: String) throws(FileFailure) -> String {
    let bytes = try read(path, limit: .max)
    let isPrivate = isPrivate(path)
    var number = 1
    while kind(of: "\(path).corrupt-\(number)") != nil { number += 1 }
    let aside = "\(path).corrupt-\(number)"
    try replace(aside, with: bytes, privately: isPrivate)
    try remove(path)
    return aside
  }

  private final class Appender: FileAppender {
    private let files: MemoryFileSystem
    private let path: String
    private let closed = Mutex(false)

    init(files: MemoryFileSystem, path: String) {
      self.files = files
      self.path = path
    }

    func append(_ bytes: [UInt8]) throws(FileFailure) {
      if closed.withLock({ $0 }) { throw .other(path, reason: "is already closed") }
      let key = files.normalized(path)
      try files.state.withLock { state -> Swift.Result<Void, FileFailure> in
        var all: [UInt8] = []
        if case .file(let old, _) = state.entries[key] { all = old }
        return MemoryFileSystem.write(all + bytes, to: key, named: path, isPrivate: false, &state)
      }.get()
    }

    func close() { closed.withLock { $0 = true } }
  }

  private static func write(
    _ bytes: [UInt8], to key: String, named path: String, isPrivate: Bool, _ state: inout State
  ) -> Result<Void, FileFailure> {
    if let failure = state.failures[key] { return .failure(failure) }
    if state.readOnly.contains(key) { return .failure(.notPermitted(path)) }
    if isPrivate, state.special.contains(key) { return .failure(.notRegular(path, kind: "named pipe")) }
    switch state.entries[parent(of: key)] {
    case .directory: break
    case nil: return .failure(.notFound(path))
    case .file: return .failure(.other(path, reason: "a file with this name exists"))
    }
    if case .directory = state.entries[key] { return .failure(.isDirectory(path)) }
    if state.capacity < .max {
      let others = state.entries.reduce(0) { sum, entry in
        if entry.key != key, case .file(let bytes, _) = entry.value { sum + bytes.count } else { sum }
      }
      if others + bytes.count > state.capacity { return .failure(.noSpace(path)) }
    }
    state.entries[key] = .file(bytes, isPrivate: isPrivate)
    state.changes += 1
    state.written[key] = state.changes
    return .success(())
  }

  private static func makeDirectories(_ path: String, isPrivate: Bool, _ state: inout State) {
    var missing: [String] = []
    var above = path
    while state.entries[above] == nil {
      missing.append(above)
      above = parent(of: above)
    }
    for directory in missing { state.entries[directory] = .directory(isPrivate: isPrivate) }
  }

  private func normalized(_ path: String) -> String {
    let place = Self.normalized(path, in: workingDirectory)
    return state.withLock { $0.links[place] } ?? place
  }

  /// Returns the absolute path, with `.` and `..` resolved and duplicate and trailing slashes removed.
  private static func normalized(_ path: String, in directory: String) -> String {
    var parts: [Substring] = []
    for part in (path.hasPrefix("/") ? path : directory + "/" + path).split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }
}
