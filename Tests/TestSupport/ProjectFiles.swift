import Foundation

/// The files of the project, including golden files.
package enum ProjectFiles {
  /// The folder that contains `Package.swift`.
  package static let directory: URL = {
    var folder = URL(filePath: #filePath).resolvingSymlinksInPath()
    for _ in 0..<3 { folder.deleteLastPathComponent() }
    return folder
  }()

  /// Returns the sorted names of the files and folders directly inside a folder of the project.
  package static func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.appending(path: folder).path)
      .filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Returns the sorted paths of the files in a folder of the project and its subfolders, relative to that folder.
  package static func files(in folder: String) throws -> [String] {
    try files(below: directory.appending(path: folder))
  }

  /// Returns the sorted paths of the files in a folder and its subfolders, relative to that folder.
  package static func files(below folder: URL) throws -> [String] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return names.filter { name in
      var isDirectory: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: folder.path + "/" + name, isDirectory: &isDirectory)
      return exists && !isDirectory.boolValue && !name.split(separator: "/").contains { $0.hasPrefix(".") }
    }.sorted()
  }

  /// Returns the bytes of a file of the project.
  package static func bytes(of path: String) throws -> [UInt8] { try bytes(of: directory.appending(path: path)) }

  package static func bytes(of url: URL) throws -> [UInt8] { [UInt8](try Data(contentsOf: url)) }

  /// Writes a file of the project, such as a golden file.
  package static func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: directory.appending(path: path))
  }

  /// Whether tests update golden files instead of comparing with them (`UPDATE_GOLDEN=1 swift test`).
  package static var updatesGoldenFiles: Bool { ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" }
}
