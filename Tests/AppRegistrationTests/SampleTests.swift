import AppRegistration
import Diagnostics
import Documents
import Foundation
import TestSupport
import Testing

/// Loads settings from the fixtures, and from the external corpus if it is present.
@Suite("Settings of sample projects") struct SampleTests {
  static func load(_ sample: SampleFile) throws -> LoadedSettings {
    let read = RegistrationDocument.read(try sample.bytes(), named: sample.name)
    #expect(read.kind == .authSettings || read.kind == .androidConfig || read.kind == .msalJS)
    return SettingsLoader { path, _ in
      ReadResult(document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", path, at: .file(path))])
    }.load([.document(read)], named: sample.name)
  }

  @Test("loads settings, or rejects them for the labeled reasons", arguments: SampleLabel.all(in: "authsettings"))
  func settings(label: SampleLabel) throws {
    let loaded = try Self.load(label.sample)
    let errors = Set(loaded.allDiagnostics.filter { $0.severity == .error }.map(\.rule))
    #expect(errors == label.loadErrors)
    #expect(loaded.isUsable == label.loadErrors.isEmpty)
    guard label.isClean || label.sample.origin == .outsideCorpus else { return }
    #expect(loaded.allDiagnostics.filter { $0.severity == .warning }.map(\.message) == [])
  }

  /// Android configurations except those for AppAuth and wrapper libraries, which contain no redirect URI for MSAL.
  static let androidConfigs = SampleLabel.all(in: "android").filter { label in
    label.kind != "appAuth" && !label.sample.path.contains("wrapper") && !label.sample.path.contains("SenSEApp")
  }

  @Test("loads the settings of an Android configuration", arguments: androidConfigs)
  func android(label: SampleLabel) throws {
    let loaded = try Self.load(label.sample)
    #expect(loaded.settings.redirectURI != nil)
    #expect(loaded.allDiagnostics.allSatisfy { $0.rule != "unknown-key" })
  }

  @Test("loads the client ID of an MSAL.js configuration", arguments: SampleLabel.all(in: "msaljs"))
  func browser(label: SampleLabel) throws {
    #expect(try Self.load(label.sample).settings.appID != nil)
  }

  @Test("recognizes every kind of fixture", arguments: SampleLabel.fixtures.filter { $0.sample.folder != "projects" })
  func kinds(label: SampleLabel) throws {
    guard label.kind != "androidManifest" else { return }
    let read = RegistrationDocument.read(try label.sample.bytes(), named: label.sample.name)
    #expect(read.kind.rawValue == label.kind)
  }
}
