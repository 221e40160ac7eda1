import Diagnostics
import Documents
import Foundation
import TestSupport
import Testing
import Validation

/// Files of public projects: what is clean gives no error and no warning, what is not gives an error.
@Suite struct CorpusTests {
  struct Expectation: Decodable, Sendable {
    var file: String
    var kind: String
    var expect: String
  }

  static let expectations: [Expectation] = {
    guard let directory = Corpus.directory,
      let data = try? Data(contentsOf: directory.appending(path: "expected.json")),
      let all = try? JSONDecoder().decode([Expectation].self, from: data)
    else { return [] }
    return all
  }()

  static func validate(_ file: String) throws -> ValidationReport {
    let url = try #require(Corpus.directory).appending(path: file)
    let validator = ProjectValidator { path, _ in
      Reading(document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", path, at: .file(path))])
    }
    return validator.validate([NamedFile(name: file, bytes: try Corpus.bytes(url))])
  }

  @Test(.enabled(if: Corpus.isPresent), arguments: expectations.filter { $0.expect == "clean" }.map(\.file))
  func whatIsCleanIsLetPass(file: String) throws {
    let findings = try Self.validate(file).diagnostics.filter { $0.severity != .note }
    #expect(findings.map { "\($0.rule): \($0.message)" } == [])
  }

  @Test(.enabled(if: Corpus.isPresent))
  func aKeyInAURLIsFound() throws {
    let file = try #require(Self.expectations.first { $0.file.hasSuffix("AppSettings@f8773c9a.plist") }).file
    #expect(try Self.validate(file).diagnostics.contains { $0.rule == "secret-committed" })
  }

  /// Whatever the file holds, every complaint has words and stands inside the file.
  @Test(
    .enabled(if: Corpus.isPresent),
    arguments: ["android", "authsettings", "entitlements", "infoplist", "manifest", "plist-generic", "tokencache"])
  func everyFileIsReadToItsEnd(folder: String) throws {
    for url in Corpus.files(in: folder) {
      for diagnostic in try Self.validate("\(folder)/\(url.lastPathComponent)").diagnostics {
        #expect(!diagnostic.message.isEmpty && !diagnostic.rule.isEmpty)
        let span = diagnostic.place.span ?? .at(0)
        #expect(span.end <= max(diagnostic.place.source.bytes.count, 0), "\(url.lastPathComponent): \(diagnostic.rule)")
      }
    }
  }

  @Test(
    .enabled(if: Corpus.isPresent),
    arguments: expectations.filter { $0.expect == "problem" && $0.kind == "authsettings" }.map(\.file))
  func settingsThatAreWrongAreFound(file: String) throws {
    #expect(try Self.validate(file).diagnostics.contains { $0.severity != .note })
  }
}
