import AppRegistration
import Diagnostics
import Documents
import Foundation
import TestSupport
import Testing

/// Settings files of public projects: the clean ones load, the others are refused for what is wrong with them.
@Suite struct CorpusTests {
  /// What the load must say, for each file that is not clean.
  static let reasons: [(suffix: String, rules: Set<String>)] = [
    ("AuthSettings.example.plist", ["app-id-placeholder"]), ("AuthSettings.plist.example", ["app-id-placeholder"]),
    ("AuthSettings@2f58ac92.plist.example", ["app-id-placeholder"]),
    ("antsglobal__Ants-iosApp__GraphTutorial__AuthSettings.plist", ["app-id-white-space"]),
    ("AppSettings@f8773c9a.plist", ["app-id-missing", "tenant-form", "redirect-uri-form", "scopes-empty"]),
  ]

  static func load(_ url: URL) throws -> LoadedSettings {
    let read = RegistrationDocument.read(try Corpus.bytes(url), named: url.lastPathComponent)
    #expect(read.kind == .authSettings || read.kind == .androidConfig)
    return SettingsLoader { path, _ in
      Reading(document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", path, at: .file(path))])
    }.load([.document(read)], named: url.lastPathComponent)
  }

  @Test(.enabled(if: Corpus.isPresent), arguments: Corpus.files(in: "authsettings"))
  func tutorialSettingsLoadOrAreRefusedForTheirReason(url: URL) throws {
    let loaded = try Self.load(url)
    let expected = Self.reasons.first { url.lastPathComponent.hasSuffix($0.suffix) }?.rules ?? []
    let errors = Set(loaded.allDiagnostics.filter { $0.severity == .error }.map(\.rule))
    #expect(errors == expected)
    #expect(loaded.isUsable == expected.isEmpty)
    #expect(loaded.allDiagnostics.allSatisfy { $0.severity != .warning })
  }

  @Test(.enabled(if: Corpus.isPresent), arguments: Corpus.files(in: "android"))
  func androidConfigurationsWithAClientIDLoad(url: URL) throws {
    guard !url.lastPathComponent.hasPrefix("Chukwuemeka") else { return }
    let loaded = try Self.load(url)
    #expect(loaded.settings.redirectURI != nil)
    #expect(loaded.allDiagnostics.allSatisfy { $0.rule != "unknown-key" })
  }
}
