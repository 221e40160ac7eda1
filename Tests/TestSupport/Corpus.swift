import Foundation

/// The files of public projects that stand beside the project, with what is right or wrong with each.
package enum Corpus {
  /// The corpus folder; nil where the project stands alone.
  package static let directory: URL? = {
    var folder = URL(filePath: #filePath).resolvingSymlinksInPath()
    for _ in 0..<3 { folder.deleteLastPathComponent() }
    let corpus = folder.deletingLastPathComponent().appending(path: "shared/corpus")
    return FileManager.default.fileExists(atPath: corpus.path) ? corpus : nil
  }()

  package static var isPresent: Bool { directory != nil }

  /// The project's own folder.
  package static let projectDirectory: URL = {
    var folder = URL(filePath: #filePath).resolvingSymlinksInPath()
    for _ in 0..<3 { folder.deleteLastPathComponent() }
    return folder
  }()

  /// The paths of the files in one folder of the corpus, sorted.
  package static func files(in folder: String) -> [URL] {
    guard let directory else { return [] }
    let files = try? FileManager.default.contentsOfDirectory(
      at: directory.appending(path: folder), includingPropertiesForKeys: nil)
    return (files ?? []).sorted { $0.path < $1.path }
  }

  package static func bytes(_ url: URL) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url))
  }
}
