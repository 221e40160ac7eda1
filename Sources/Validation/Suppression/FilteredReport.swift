import AppRegistration
import Diagnostics
import Documents
import OrderedCollections

/// A report after what people accepted has been taken out of it.
package struct FilteredReport: Sendable {
  /// What is told, in reading order.
  package var diagnostics: [Diagnostic]
  package var suppressed: [SuppressedFinding]
  /// Every file that was looked at, with what it was taken for.
  package var files: [(name: String, kind: AppRegistrationKind)]

  package init(
    diagnostics: [Diagnostic], suppressed: [SuppressedFinding], files: [(name: String, kind: AppRegistrationKind)]
  ) {
    self.diagnostics = diagnostics
    self.suppressed = suppressed
    self.files = files
  }
}

/// Validates files under the configurations of the folders that they stand in.
package struct ConfiguredValidator: Sendable {
  package var validator: ProjectValidator
  /// By the name of the file.
  package var configurations: [String: ValidationConfiguration]
  /// Every configuration, for files that only others name.
  package var all: [ValidationConfiguration]
  /// Relative names are meant from here.
  package var workingDirectory: String
  /// The folders that were searched as a whole, as absolute paths: there an entry of `ignore` that meets nothing is told.
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
    validator.load = load(lookingInto: files)
    validator.workingDirectory = workingDirectory
    let report = validator.validate(files)
    let (open, suppressed) = Suppressions.apply(to: report.diagnostics, in: files)
    var judged = FilteredReport(diagnostics: [], suppressed: suppressed, files: report.files)
    /// The entries of `ignore` that met something: by their configuration's folder, where in the list they stand.
    var met: [String: Set<Int>] = [:]
    for finding in open {
      let absolute = FilePath.join(workingDirectory, finding.place.source.name)
      guard let configuration = configuration(of: finding.place.source.name, absolute) else {
        judged.diagnostics.append(finding)
        continue
      }
      var finding = finding
      if let level = configuration.rules[finding.rule]?.value {
        guard let severity = level.severity else { continue }
        finding.severity = severity
      }
      if let index = configuration.ignored(finding, absolute) {
        let entry = configuration.ignore[index]
        met[configuration.folder, default: []].insert(index)
        judged.suppressed.append(SuppressedFinding(diagnostic: finding, origin: .external, reason: entry.reason))
      } else {
        judged.diagnostics.append(finding)
      }
    }
    judged.diagnostics = (judged.diagnostics + inVain(met)).inReadingOrder()
    return judged
  }

  /// What other files name is read as it stands among the given ones, which may be changed already and not be written yet.
  private func load(lookingInto files: [NamedFile]) -> DocumentLoader {
    let workingDirectory = workingDirectory
    let byPath = Dictionary(files.map { (FilePath.join(workingDirectory, $0.name), $0.bytes) }) { first, _ in first }
    let load = validator.load
    return { path, options in
      guard let bytes = byPath[FilePath.join(workingDirectory, path)] else { return load(path, options) }
      return DocumentReader.read(bytes, named: path, options: options)
    }
  }

  private func configuration(of name: String, _ absolute: String) -> ValidationConfiguration? {
    if all.isEmpty { return nil }
    return configurations[name] ?? all.first { $0.relative(absolute) != nil }
  }
}

extension ValidationConfiguration {
  /// Which entry accepts a finding.
  fileprivate func ignored(_ finding: Diagnostic, _ absolute: String) -> Int? {
    ignore.firstIndex { entry in
      guard entry.rule.value == finding.rule else { return false }
      guard let pattern = entry.path else { return true }
      return relative(absolute).map { PathGlob(pattern).matches($0) } ?? false
    }
  }
}

extension ConfiguredValidator {
  /// The entries of `ignore` that nothing came of, of configurations whose whole folder was searched.
  fileprivate func inVain(_ met: [String: Set<Int>]) -> [Diagnostic] {
    all.filter { configuration in
      searched.contains { $0 == configuration.folder || configuration.folder.hasPrefix($0 == "/" ? "/" : $0 + "/") }
    }.flatMap { configuration in
      configuration.ignore.enumerated().filter { met[configuration.folder]?.contains($0.offset) != true }.map { entry in
        let entry = entry.element
        return Diagnostic(
          .warning, rule: Suppressions.unused,
          "\(entry.rule.value) finds nothing \(entry.path.map { "in \($0)" } ?? "here"), so there is nothing to ignore",
          help: "remove the entry", at: entry.rule.place)
      }
    }
  }
}
