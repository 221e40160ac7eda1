import Diagnostics
import Documents
import Foundation
import TestSupport
import Testing
import Validation

/// Files of many projects in one place: whatever is said of each, none is held against another's.
@Suite struct TogetherCorpusTests {
  static let folders = [
    "android", "authsettings", "entitlements", "infoplist", "manifest", "plist-generic", "tokencache",
  ]

  @Test(.enabled(if: Corpus.isPresent), arguments: folders + ["."])
  func strangersAreNotComparedWithEachOther(folder: String) throws {
    let names = (folder == "." ? Self.folders : [folder]).flatMap { folder in
      Corpus.files(in: folder).map { "\(folder)/\($0.lastPathComponent)" }
    }
    let root = try #require(Corpus.directory)
    let files = try names.map { NamedFile(name: $0, bytes: try Corpus.bytes(root.appending(path: $0)), root: folder) }
    let validator = ProjectValidator(now: 1_767_225_600) { path, _ in
      Reading(document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", path, at: .file(path))])
    }
    let together: Set<String> = [
      "client-id-mismatch", "redirect-not-in-manifest", "redirect-not-in-app", "scope-not-in-manifest",
      "audience-contradiction", "bundle-id-contradiction", "device-code-not-allowed", "keychain-group-contradiction",
    ]
    let found = validator.validate(files).diagnostics.filter { together.contains($0.rule) }
    #expect(!files.isEmpty)
    #expect(found.map { "\($0.place.source.name): \($0.message)" } == [])
  }
}
