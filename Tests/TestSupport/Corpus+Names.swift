import Foundation

extension Corpus {
  /// The names of the files in a folder of the project, sorted.
  package static func names(inProjectFolder path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: projectDirectory.appending(path: path).path)
      .filter { !$0.hasPrefix(".") }.sorted()
  }

  /// The paths of the files in a folder of the project and in its subfolders, relative to that folder, sorted.
  package static func files(inProjectFolder path: String) throws -> [String] {
    let root = projectDirectory.appending(path: path).path
    let names = try FileManager.default.subpathsOfDirectory(atPath: root)
    return names.filter { name in
      var isDirectory: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: root + "/" + name, isDirectory: &isDirectory)
      return exists && !isDirectory.boolValue && !name.split(separator: "/").contains { $0.hasPrefix(".") }
    }.sorted()
  }

  /// The bytes of one of the project's own files.
  package static func bytes(ofProjectFile path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: projectDirectory.appending(path: path)))
  }

  /// Writes one of the project's own files: for golden files that are made anew on demand.
  package static func write(_ text: String, toProjectFile path: String) throws {
    try Data(text.utf8).write(to: projectDirectory.appending(path: path))
  }

  /// Whether golden files are to be made anew: `UPDATE_GOLDEN=1 swift test`.
  package static var updatesGoldenFiles: Bool { ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" }
}
