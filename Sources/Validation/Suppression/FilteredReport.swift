import AppRegistration
import Diagnostics
import Documents
import OrderedCollections

/// A validation report split into reported and suppressed findings.
package struct FilteredReport: Sendable {
  /// The reported findings in reading order.
  package var diagnostics: [Diagnostic]
  package var suppressed: [SuppressedFinding]
  /// All validated files with their detected kinds.
  package var files: [(name: String, kind: AppRegistrationKind)]
  /// The decoded files.
  package var project: Project

  package init(
    diagnostics: [Diagnostic], suppressed: [SuppressedFinding], files: [(name: String, kind: AppRegistrationKind)],
    project: Project = Project()
  ) {
    self.diagnostics = diagnostics
    self.suppressed = suppressed
    self.files = files
    self.project = project
  }
}

/// Validates files according to the configurations in their folders.
package struct ConfiguredValidator: Sendable {
  package var validator: ProjectValidator
  /// The configuration of each file, by file name.
  package var configurations: [String: ValidationConfiguration]
  /// All configurations, which apply to referenced files that the user did not pass.
  package var all: [ValidationConfiguration]
  /// The base folder for relative names, as an absolute path.
  package var workingDirectory: String
  /// The folders that were searched completely, as absolute paths. Unused `ignore` entries are reported only for these
  /// folders.
  package var searched: Set<String>

  package init(
    validator: ProjectValidator, configurations: [String: ValidationConfiguration] = [:],
    all: [ValidationConfiguration] = [], workingDirectory: String = "/", searched: Set<String> = []
  ) {
    self.validator = validator
    self.configurations = configurations
    self.all = all
    self.workingDirectory = workingDirectory
    self.searched = searched
  }

  package func check(_ files: [NamedFile]) -> FilteredReport {
    var validator = validator
    validator.load = load(preferring: files)
    validator.workingDirectory = workingDirectory
    let report = validator.validate(files)
    let (reported, suppressed) = Suppressions.apply(to: report.diagnostics, in: files)
    var filtered = FilteredReport(diagnostics: [], suppressed: suppressed, files: report.files, project: report.project)
    /// The indices of used `ignore` entries, by the folder that contains the configuration.
    var used: [String: Set<Int>] = [:]
    for finding in reported {
      let absolute = FilePath.join(workingDirectory, finding.place.source.name)
      guard let configuration = configuration(of: finding.place.source.name, absolute) else {
        filtered.diagnostics.append(finding)
        continue
      }
      var finding = finding
      if let level = configuration.rules[finding.rule]?.value {
        guard let severity = level.severity else { continue }
        finding.severity = severity
      }
      if let index = configuration.ignored(finding, absolute) {
        let entry = configuration.ignore[index]
        used[configuration.folder, default: []].insert(index)
        filtered.suppressed.append(SuppressedFinding(diagnostic: finding, origin: .external, reason: entry.reason))
      } else {
        filtered.diagnostics.append(finding)
      }
    }
    filtered.diagnostics = (filtered.diagnostics + unusedIgnoreEntries(used)).inReadingOrder()
    return filtered
  }

  /// Returns a loader that prefers the contents of the given files, which can include fixes that are not yet written to
  /// disk.
  private func load(preferring files: [NamedFile]) -> DocumentLoader {
    let workingDirectory = workingDirectory
    let byPath = Dictionary(files.map { (FilePath.join(workingDirectory, $0.name), $0.bytes) }) { first, _ in first }
    let load = validator.load
    let cache = validator.cache
    return { path, options in
      guard let bytes = byPath[FilePath.join(workingDirectory, path)] else { return load(path, options) }
      return cache?.document(bytes, named: path, options: options)
        ?? DocumentReader.read(bytes, named: path, options: options)
    }
  }

  private func configuration(of name: String, _ absolute: String) -> ValidationConfiguration? {
    if all.isEmpty { return nil }
    return configurations[name] ?? all.first { $0.relative(absolute) != nil }
  }
}

extension ValidationConfiguration {
  /// Returns the index of the `ignore` entry that suppresses a finding.
  fileprivate func ignored(_ finding: Diagnostic, _ absolute: String) -> Int? {
    ignore.firstIndex { entry in
      guard entry.rule.value == finding.rule else { return false }
      guard let pattern = entry.path else { return true }
      return relative(absolute).map { PathGlob(pattern).matches($0) } ?? false
    }
  }
}

extension ConfiguredValidator {
  /// Reports `ignore` entries that do not suppress any finding. Checks only configurations in completely searched
  /// folders.
  fileprivate func unusedIgnoreEntries(_ used: [String: Set<Int>]) -> [Diagnostic] {
    all.filter { configuration in
      searched.contains { $0 == configuration.folder || configuration.folder.hasPrefix($0 == "/" ? "/" : $0 + "/") }
    }.flatMap { configuration in
      configuration.ignore.enumerated().filter { used[configuration.folder]?.contains($0.offset) != true }.map {
        entry in
        let entry = entry.element
        return Diagnostic(
          .warning, rule: Suppressions.unused,
          "unused entry: no findings of `\(entry.rule.value)`\(entry.path.map { " in `\($0)`" } ?? "")",
          help: "remove the entry", at: entry.rule.place)
      }
    }
  }
}
