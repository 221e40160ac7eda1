#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The temporary file `<file>.<process>.<number>.part`, which contains a new version of a file.
enum PartFile {
  /// Returns a new path in the directory of the file.
  static func path(besides target: String) -> String {
    "\(target).\(getpid()).\(UInt32.random(in: .min ... .max)).part"
  }

  /// Removes temporary files that killed processes left behind, because they can contain tokens.
  /// - Parameter isUnused: Whether no other process can be writing the file, for example because this process holds the
  ///   lock.
  static func removeAbandoned(besides target: String, isUnused: Bool = false) {
    let slash = target.lastIndex(of: "/")
    let folder = slash.map { String(target[...$0]) } ?? "./"
    let name = slash.map { String(target[target.index(after: $0)...]) } ?? target
    for entry in (try? LiveFileSystem().list(folder)) ?? [] {
      guard let process = process(of: entry, besides: name) else { continue }
      if isUnused || isAbandoned(folder + entry, by: process) { unlink(folder + entry) }
    }
  }

  /// Returns the ID of the process that wrote a temporary file, or nil if the entry is not a temporary file of this
  /// file.
  private static func process(of entry: String, besides name: String) -> pid_t? {
    guard entry.hasPrefix(name + "."), entry.hasSuffix(".part") else { return nil }
    let numbers = entry.dropFirst(name.count + 1).dropLast(5).split(separator: ".", omittingEmptySubsequences: false)
    guard numbers.count == 2, UInt32(numbers[1]) != nil else { return nil }
    return pid_t(numbers[0])
  }

  /// Whether the process no longer exists and the file is old. The age is checked because processes in other containers
  /// are not visible.
  private static func isAbandoned(_ path: String, by process: pid_t) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0, status.isRegular, status.st_uid == geteuid() else { return false }
    return status.age > 10_000_000_000 && !ProcessLiveness.isAlive(process, since: status.modificationSecond)
  }
}
