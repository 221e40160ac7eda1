import Foundation

/// A file with known content: a project fixture or a file in the external corpus.
package struct SampleFile: Hashable, Sendable, CustomStringConvertible {
  package enum Origin: String, Sendable, CaseIterable { case fixtures, outsideCorpus }

  package var origin: Origin
  /// The path relative to the origin's folder. For a complete app, this is the path of its folder.
  package var path: String

  package init(origin: Origin, path: String) {
    self.origin = origin
    self.path = path
  }

  package var description: String { origin == .fixtures ? path : "corpus/\(path)" }

  /// The path without `.hex`, which marks a binary file that is stored as hexadecimal text.
  package var name: String { path.hasSuffix(".hex") ? String(path.dropLast(4)) : path }

  /// The first folder of the path, which determines the category of the sample.
  package var folder: String { String(path.prefix { $0 != "/" }) }

  package func bytes() throws -> [UInt8] {
    guard let root = origin.directory else { throw CocoaError(.fileNoSuchFile) }
    let bytes = try ProjectFiles.bytes(of: root.appending(path: path))
    return path.hasSuffix(".hex") ? Self.bytes(ofHexadecimal: String(decoding: bytes, as: UTF8.self)) : bytes
  }

  /// Returns the files of a complete app, relative to its folder. The list is empty if the sample is a single file.
  package func appFiles() throws -> [String] {
    guard folder == "projects", let root = origin.directory else { return [] }
    return try ProjectFiles.files(below: root.appending(path: path))
  }

  /// Decodes hexadecimal text. The character `#` begins a comment.
  private static func bytes(ofHexadecimal text: String) -> [UInt8] {
    text.split(separator: "\n").flatMap { line in
      line.prefix { $0 != "#" }.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }
  }

  /// Every sample from both origins except complete apps.
  package static let all: [SampleFile] = Origin.allCases.flatMap(\.files)

  /// Returns the samples in the folder with this name, from both origins.
  package static func files(in folder: String) -> [SampleFile] { all.filter { $0.folder == folder } }
}

extension SampleFile.Origin {
  /// The origin's folder, or nil if the external corpus is missing.
  package var directory: URL? {
    switch self {
    case .fixtures: ProjectFiles.directory.appending(path: "Tests/Fixtures")
    case .outsideCorpus: OutsideCorpus.directory
    }
  }

  fileprivate var files: [SampleFile] {
    guard let directory, let paths = try? ProjectFiles.files(below: directory) else { return [] }
    return paths.map { SampleFile(origin: self, path: $0) }.filter { sample in
      guard sample.path.contains("/"), sample.folder != "projects" else { return false }
      return self == .fixtures || OutsideCorpus.folders.contains(sample.folder)
    }
  }
}
