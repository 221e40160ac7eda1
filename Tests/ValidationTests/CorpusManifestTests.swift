import Diagnostics
import Documents
import FoundationEssentials
import TestSupport
import Testing
import Validation

/// App manifests of public projects: exactly what is wrong with them is found, at its place.
@Suite struct CorpusManifestTests {
  struct File: Sendable {
    var name: String
    /// The rule, and the text that the finding points at.
    var findings: [[String]] = []
    var definitions: [String: String] = [:]
  }

  static let files: [File] = [
    File(
      name: "thisisawd__teach-onenote-addin__app-registration.json",
      findings: [["manifest-audience-unknown", #""AzureADAndPersonalMicrosoftAccount""#]]),
    File(name: "ntx-external-solutions__cps230-solution__app-registration.json"),
    File(name: "BenGWeeks__Zapp.ie__aad.manifest.json", findings: [["manifest-redirect-type", #""spa""#]]),
    File(name: "eea__eionet2-dashboard__aad.manifest.json"),
    File(
      name: "Venkat-Muthu__EnterpriseApplicationRegistration__requiredResourceAccess.json",
      findings: [["manifest-fragment", #""requiredResourceAccess""#]]),
    File(
      name: "extracted__portal-manifest-saml-app.json",
      findings: [["manifest-implicit-flow", "true"], ["credential-expired", #""2024-10-04T12:11:36.707Z""#]]),
    File(
      name: "extracted__portal-manifest-readme-demo.json",
      findings: [
        ["manifest-id-empty", #""""#], ["manifest-id-empty", #""""#], ["manifest-id-empty", #""""#],
        ["credential-never-ends", #""2299-12-31T05:00:00Z""#],
        ["manifest-id-empty", #""""#], ["manifest-id-empty", #""""#],
      ]),
    File(name: "Azure-Samples__ms-identity-mobile-apple-swift-objc__AppCreationScripts__apps.json"),
    File(
      name: "Azure-Samples__ms-identity-ciam-browser-delegated-ios-sample__AppCreationScripts__apps.json",
      findings: [["bundle-id-contradiction", #""com.microsoft.identitysample.MSALiOS""#]],
      definitions: ["PRODUCT_BUNDLE_IDENTIFIER": "com.microsoft.identitysample.ciam.MSALiOS"]),
  ]

  static func validate(_ names: [String], definitions: [String: String] = [:]) throws -> ValidationReport {
    let root = try #require(Corpus.directory)
    let files = try names.map {
      NamedFile(name: $0, bytes: try Corpus.bytes(root.appending(path: $0)), root: "manifest")
    }
    return ProjectValidator(definitions: definitions, now: 1_767_225_600) { path, _ in
      Reading(document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", path, at: .file(path))])
    }.validate(files)
  }

  @Test(.enabled(if: Corpus.isPresent), arguments: files.indices)
  func whatIsWrongIsFoundAtItsPlace(index: Int) throws {
    let file = Self.files[index]
    let report = try Self.validate(["manifest/" + file.name], definitions: file.definitions)
    let findings = report.diagnostics.filter { $0.severity != .note }
    let told = findings.map { [$0.rule, $0.place.span.map($0.place.source.text(in:)) ?? ""] }
    #expect(told == file.findings, "\(findings.map(\.message))")
  }

  @Test(.enabled(if: Corpus.isPresent))
  func everyFileIsInTheTable() {
    #expect(Set(Corpus.files(in: "manifest").map(\.lastPathComponent)) == Set(Self.files.map(\.name)))
  }

  /// Files that have nothing to do with each other are not held against each other, though they stand in one folder.
  @Test(.enabled(if: Corpus.isPresent))
  func aFolderOfStrangersSaysNoMore() throws {
    let report = try Self.validate(Corpus.files(in: "manifest").map { "manifest/\($0.lastPathComponent)" })
    let told = report.diagnostics.filter { $0.severity != .note }.map(\.rule)
    let alone = Self.files.filter(\.definitions.isEmpty).flatMap { $0.findings.map { $0[0] } }
    #expect(told.sorted() == alone.sorted())
  }
}
