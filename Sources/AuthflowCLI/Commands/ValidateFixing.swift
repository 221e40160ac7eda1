import Diagnostics
import Documents
import Effects
import Validation

/// Writes fixed files, or shows the fixes as a diff.
struct ValidateFixing {
  let session: Session
  let outcome: FixSession.Outcome
  let isDry: Bool
  /// Whether messages go to standard output instead of standard error.
  let reportsOnOutput: Bool

  /// Writes or shows the fixes.
  /// - Returns: The names of the written files, and the exit status if a file could not be written.
  func perform() -> (failure: ExitStatus?, names: Set<String>) {
    var failure: ExitStatus?
    var written: Set<String> = []
    for file in outcome.files {
      if isDry {
        show(file)
      } else if let problem = write(file) {
        session.reportError("\(CaretFrame.visible(file.name)): \(problem)")
        failure = .environmentFailure
        continue
      } else {
        written.insert(file.name)
      }
      for finding in file.fixed {
        let description = CaretFrame.visible(finding.fix?.description ?? finding.message)
        report("\(isDry ? "would fix" : "fixed") \(CaretFrame.visible(file.name)): \(description) [\(finding.rule)]")
      }
    }
    for entry in outcome.skippedFixes {
      session.printStatus(
        "\(CaretFrame.visible(entry.diagnostic.place.source.name)): not fixed: \(entry.reason) [\(entry.diagnostic.rule)]"
      )
    }
    return (failure, written)
  }

  private func report(_ text: String) {
    if reportsOnOutput { session.printLine(text) } else { session.printStatus(text) }
  }

  /// Writes a fixed file.
  /// - Returns: The error if the file could not be written, or nil.
  private func write(_ file: FixSession.FixedFile) -> String? {
    guard case .success(let current) = session.bytes(of: file.name), [file.original, file.bytes].contains(current)
    else {
      return "not written, because the file has changed since it was read"
    }
    if current == file.bytes { return nil }
    do {
      try session.world.files.replace(file.name, with: file.bytes, privately: false)
      return nil
    } catch {
      return error.explanation
    }
  }

  // MARK: The diff

  private func show(_ file: FixSession.FixedFile) {
    let (old, new) = (Self.utf8(file.original), Self.utf8(file.bytes))
    let redactedOld = RedactedText.text(of: file.original, named: file.name, outcome.before)
    let redactedNew = RedactedText.text(of: file.bytes, named: file.name, outcome.report)
    var diff = hunks(old, new)
    if redactedOld != nil || redactedNew != nil {
      let redacted = hunks(redactedOld ?? old, redactedNew ?? new)
      if redacted != diff {
        diff = redacted
        session.printStatus(
          "note: the diff of \(CaretFrame.visible(file.name)) cannot be applied, because it masks a secret"
            + "\n  help: use `--fix` without `--dry-run` to write the file")
      }
    }
    let name = diffName(file.name)
    let tab = name.contains(" ") ? "\t" : ""
    session.world.console.write(
      Array("--- a/\(name)\(tab)\n+++ b/\(name)\(tab)\n".utf8) + diff, to: .output, as: .data)
  }

  /// Returns the diff without its two header lines, which Git's header lines replace.
  private func hunks(_ old: [UInt8], _ new: [UInt8]) -> [UInt8] {
    let diff = UnifiedDiff.bytes(old: old, new: new, name: "x")
    return Array(diff.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false).last ?? [])
  }

  /// Returns the name of a file in the header of the diff: its path relative to the working directory if possible.
  private func diffName(_ name: String) -> String {
    let absolute = session.absolutePath(name)
    let path = session.relativePath(absolute) ?? String(absolute.drop { $0 == "/" })
    return CaretFrame.visible(name == "<stdin>" ? "stdin" : path)
  }

  /// Converts UTF-16 and UTF-32 to UTF-8. Other bytes are unchanged, so that the diff can be applied.
  private static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.prefix(1024).contains(0), let source = DocumentReader.read(bytes, named: "").document?.source else {
      return bytes
    }
    return source.bytes
  }
}
