import AppRegistration
import Diagnostics
import Documents
import OrderedCollections
import WorkflowModel

/// A validation report in SARIF 2.1.0 (OASIS) that includes the properties for GitHub code scanning.
package struct SARIFReport {
  package var report: FilteredReport
  /// The authflow version.
  package var version: String
  /// The exit code of the authflow run.
  package var exitCode: Int32
  /// The base folder for relative names, as an absolute path.
  package var workingDirectory: String
  /// Diagnostics for files that cannot be read.
  package var unreadable: [Diagnostic]

  package init(
    _ report: FilteredReport, version: String, exitCode: Int32, workingDirectory: String, unreadable: [Diagnostic] = []
  ) {
    self.report = report
    self.version = version
    self.exitCode = exitCode
    self.workingDirectory = workingDirectory
    self.unreadable = unreadable
  }

  static let informationURI =
    "https://learn.microsoft.com/entra/identity-platform/msal-overview"

  package var json: JSON {
    let suppressed = report.suppressed
    let rules = SARIFRules(findings: report.diagnostics + suppressed.map(\.diagnostic))
    let artifacts = SARIFArtifacts(report, workingDirectory: workingDirectory)
    var fingerprints = SARIFFingerprints()
    var results = report.diagnostics.map { finding in
      SARIFResult(finding, rules, artifacts, fingerprint: fingerprints.next(of: finding)).json(suppressions: [])
    }
    results += suppressed.map { entry in
      SARIFResult(entry.diagnostic, rules, artifacts, fingerprint: fingerprints.next(of: entry.diagnostic)).json(
        suppressions: [["kind": .string(entry.origin.rawValue), "justification": .string(entry.reason)]])
    }
    var invocation: JSON = [
      "executionSuccessful": .bool(unreadable.isEmpty), "exitCode": .integer(Int64(exitCode)),
    ]
    if !unreadable.isEmpty {
      invocation["toolExecutionNotifications"] = .array(
        unreadable.map { failure in
          [
            "level": "error", "descriptor": ["id": .string(failure.rule)],
            "message": ["text": .string(SARIFResult.plain("\(failure.place.source.name): \(failure.message)"))],
            "locations": [
              ["physicalLocation": ["artifactLocation": artifacts.location(failure.place.source.name)]]
            ],
          ]
        })
    }
    let driver: JSON = [
      "name": "authflow", "version": .string(version), "semanticVersion": .string(version),
      "informationUri": .string(Self.informationURI), "rules": .array(rules.json),
    ]
    let run: JSON = [
      "tool": ["driver": driver], "results": .array(results), "artifacts": .array(artifacts.json),
      "columnKind": "unicodeCodePoints", "newlineSequences": ["\r\n", "\n", "\r"], "invocations": [invocation],
      "originalUriBaseIds": [
        "%SRCROOT%": ["uri": .string(SARIFArtifacts.fileURI(workingDirectory + "/"))]
      ],
    ]
    return [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run],
    ]
  }
}

/// The files to which a SARIF run refers.
struct SARIFArtifacts {
  private let workingDirectory: String
  private let index: OrderedDictionary<String, AppRegistrationKind?>

  init(_ report: FilteredReport, workingDirectory: String) {
    self.workingDirectory = workingDirectory
    var index: OrderedDictionary<String, AppRegistrationKind?> = [:]
    for file in report.files where file.kind != .unknown { index[file.name] = file.kind }
    for finding in report.diagnostics + report.suppressed.map(\.diagnostic)
    where index[finding.place.source.name] == nil {
      index[finding.place.source.name] = .some(nil)
    }
    self.index = index
  }

  var json: [JSON] {
    index.map { name, kind in
      var artifact: JSON = ["location": location(name, indexed: false), "roles": ["analysisTarget"]]
      if let kind { artifact["description"] = ["text": .string(kind.description)] }
      return artifact
    }
  }

  /// Returns a file's location. The location is relative to the root if the file is inside the root, and absolute
  /// otherwise.
  func location(_ name: String, indexed: Bool = true) -> JSON {
    let absolute = FilePath.join(workingDirectory, name)
    var location: JSON
    if name == "<stdin>" {
      location = ["uri": "stdin"]
    } else if absolute.hasPrefix(workingDirectory == "/" ? "/" : workingDirectory + "/") {
      let relative = absolute.dropFirst(workingDirectory == "/" ? 1 : workingDirectory.count + 1)
      location = ["uri": .string(Self.encoded(String(relative))), "uriBaseId": "%SRCROOT%"]
    } else {
      location = ["uri": .string(Self.fileURI(absolute))]
    }
    if indexed, let position = index.index(forKey: name) { location["index"] = .integer(Int64(position)) }
    return location
  }

  static func fileURI(_ path: String) -> String { "file://" + encoded(path) }

  /// Percent-encodes a path according to RFC 3986, section 2.1, except for its slashes.
  static func encoded(_ path: String) -> String {
    var result = ""
    for byte in path.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return result
  }
}

/// Fingerprints that identify findings independently of line numbers, so that GitHub recognizes a finding even if the
/// lines above it change.
struct SARIFFingerprints {
  private var seen: [String: Int] = [:]

  mutating func next(of finding: Diagnostic) -> String {
    let line = (finding.redactedLine(limit: 400) ?? "").filter { !$0.isWhitespace }
    // The hash is 64-bit FNV-1a, because it must be short but does not have to be secure.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(finding.place.source.name)\u{0}\(finding.rule)\u{0}\(line)".utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    let digits = String(hash, radix: 16)
    let fingerprint = String(repeating: "0", count: 16 - digits.count) + digits
    seen[fingerprint, default: 0] += 1
    return "\(fingerprint):\(seen[fingerprint, default: 1])"
  }
}
