import Foundation

/// Files from public projects, labeled with their defects, in a folder next to the repository.
///
/// They are not part of the repository. If the folder exists, tests check its files in addition to the fixtures.
package enum OutsideCorpus {
  /// The folder `shared/corpus` next to the repository, or nil if it does not exist.
  package static let directory: URL? = {
    let corpus = ProjectFiles.directory.deletingLastPathComponent().appending(path: "shared/corpus")
    return FileManager.default.fileExists(atPath: corpus.appending(path: "expected.json").path) ? corpus : nil
  }()

  package static var isPresent: Bool { directory != nil }

  /// The subfolders that tests read.
  static let folders = [
    "android", "authsettings", "entitlements", "infoplist", "manifest", "plist-generic", "tokencache",
  ]

  /// An entry in the corpus's own `expected.json`.
  package struct Expectation: Decodable, Sendable {
    package struct Context: Decodable, Sendable { package var bundleId: String? }
    package var file: String
    package var expect: String
    package var context: Context?

    package var isClean: Bool { expect == "clean" }
  }

  package static let expectations: [Expectation] = {
    guard let directory, let data = try? Data(contentsOf: directory.appending(path: "expected.json")) else { return [] }
    return (try? JSONDecoder().decode([Expectation].self, from: data)) ?? []
  }()
}
