import Effects
import SystemWorld

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  // If the program links Foundation, the C library types are visible only through CoreFoundation.
  import CoreFoundation
  import Glibc
#endif

/// A folder for one test. Deinitialization removes the folder.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    let base = Environment.ofProcess()["TMPDIR"] ?? "/tmp"
    var template = Array("\(base)/authflow-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileFailure.notPermitted(base) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  package func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// Returns the permission bits of a file in the folder.
  package func mode(_ name: String) -> mode_t {
    var status = stat()
    stat(self(name), &status)
    return status.st_mode & 0o777
  }

  package func setMode(_ name: String, _ mode: mode_t) { chmod(self(name), mode) }

  /// Creates a symbolic link. The target can be relative to the link's folder.
  package func link(_ name: String, to target: String) { symlink(target, self(name)) }

  private static func remove(_ path: String) {
    let files = LiveFileSystem()
    guard let names = try? files.list(path) else { return }
    for name in names {
      if files.kind(of: path + "/" + name) == .directory, !files.isLink(path + "/" + name) {
        remove(path + "/" + name)
      } else {
        unlink(path + "/" + name)
      }
    }
    rmdir(path)
  }
}
