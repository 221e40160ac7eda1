import Effects
import LiveWorld

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  // The system's types belong to it as soon as Foundation is anywhere in the program.
  import CoreFoundation
  import Glibc
#endif

/// A folder of a test's own, gone with it.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    let base = Environment.ofProcess()["TMPDIR"] ?? "/tmp"
    var template = Array("\(base)/authflow-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileFailure.notPermitted(base) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// The permission bits of a file in the folder.
  func mode(_ name: String) -> mode_t {
    var status = stat()
    stat(self(name), &status)
    return status.st_mode & 0o777
  }

  func setMode(_ name: String, _ mode: mode_t) { chmod(self(name), mode) }

  private static func remove(_ path: String) {
    let files = LiveFileSystem()
    guard let names = try? files.list(path) else { return }
    for name in names {
      if files.kind(of: path + "/" + name) == .directory {
        remove(path + "/" + name)
      } else {
        unlink(path + "/" + name)
      }
    }
    rmdir(path)
  }
}
