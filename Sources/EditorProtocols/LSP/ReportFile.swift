import Documents
import Effects

/// An HTML report file in the user's cache folder: `$XDG_CACHE_HOME/authflow/reports`, or
/// `~/.cache/authflow/reports` (XDG Base Directory Specification).
struct ReportFile: Sendable {
  struct Failure: Error, Sendable {
    let message: String
  }

  let world: World

  /// Writes a report. An existing report for the same scenario is replaced.
  /// - Returns: The path of the file.
  func write(_ html: String, of path: String, scenario: String?) throws(Failure) -> String {
    let environment = world.environment
    let cache =
      environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? (environment["HOME"] ?? environment.workingDirectory) + "/.cache"
    let folder = cache + "/authflow/reports"
    // Uses FNV-1a, because the name must be the same in each session.
    let hash = (path + "\n" + (scenario ?? "")).utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    let name = FilePath.name(of: path).filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." }
    let file = "\(folder)/\(name)-\(String(hash, radix: 16)).html"
    do throws(FileFailure) {
      try world.files.makeDirectory(folder, privately: true)
      try world.files.replace(file, with: Array(html.utf8), privately: true)
    } catch {
      throw Failure(message: "cannot write the report: \(error.explanation)")
    }
    return file
  }
}
