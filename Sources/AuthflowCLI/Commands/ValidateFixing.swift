import Diagnostics
import Documents
import Effects
import Validation

/// Writes what was mended, or shows it as a diff.
struct ValidateFixing {
  let session: Session
  let outcome: FixSession.Outcome
  let isDry: Bool
  /// Whether standard output is for people.
  let tellsOnOutput: Bool

  /// - Returns: how the command ends where something could not be written, and the names of the files that were.
  func perform() -> (failure: ExitStatus?, names: Set<String>) {
    var failure: ExitStatus?
    var written: Set<String> = []
    for file in outcome.files {
      if isDry {
        show(file)
      } else if let problem = write(file) {
        session.printStatus("error: \(CaretFrame.visible(file.name)): \(problem)")
        failure = .environmentFailure
        continue
      } else {
        written.insert(file.name)
      }
      for finding in file.fixed {
        let words = finding.fix?.description ?? finding.message
        tell(
          "\(isDry ? "would mend" : "mended") \(CaretFrame.visible(file.name)): \(CaretFrame.visible(words)) [\(finding.rule)]"
        )
      }
    }
    for entry in outcome.leftOut {
      session.printStatus(
        "\(CaretFrame.visible(entry.diagnostic.place.source.name)): not mended: \(entry.reason) [\(entry.diagnostic.rule)]"
      )
    }
    return (failure, written)
  }

  private func tell(_ text: String) {
    if tellsOnOutput { session.printLine(text) } else { session.printStatus(text) }
  }

  /// - Returns: why it could not be written.
  private func write(_ file: FixSession.FixedFile) -> String? {
    guard case .success(let now) = session.bytes(of: file.name), now == file.original || now == file.bytes else {
      return "the file has changed since it was read, so it was left alone"
    }
    if now == file.bytes { return nil }
    do {
      try session.world.files.replace(file.name, with: file.bytes, privately: false)
      return nil
    } catch {
      return error.explanation
    }
  }

  // MARK: The diff

  private func show(_ file: FixSession.FixedFile) {
    let (old, new) = (Self.text(of: file.original), Self.text(of: file.bytes))
    let shownOld = RedactedText.text(of: file.original, named: file.name, outcome.before)
    let shownNew = RedactedText.text(of: file.bytes, named: file.name, outcome.report)
    var diff = body(old, new)
    if shownOld != nil || shownNew != nil {
      let hidden = body(shownOld ?? old, shownNew ?? new)
      if hidden != diff {
        diff = hidden
        session.printStatus(
          "\(CaretFrame.visible(file.name)): the diff hides a secret, so it cannot be applied; --fix by itself writes the file"
        )
      }
    }
    let name = relative(file.name)
    let tab = name.contains(" ") ? "\t" : ""
    session.world.console.write(
      Array("--- a/\(name)\(tab)\n+++ b/\(name)\(tab)\n".utf8) + diff, to: .output, as: .data)
  }

  /// The hunks, without the two lines of names: here they begin with `a/` and `b/`, as git has it.
  private func body(_ old: [UInt8], _ new: [UInt8]) -> [UInt8] {
    let diff = UnifiedDiff.bytes(old: old, new: new, name: "x")
    return Array(diff.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false).last ?? [])
  }

  private func relative(_ name: String) -> String {
    let workingDirectory = session.world.environment.workingDirectory
    let absolute = FilePath.join(workingDirectory, name)
    let path =
      absolute.hasPrefix(workingDirectory + "/")
      ? absolute.dropFirst(workingDirectory.count + 1) : absolute.drop { $0 == "/" }
    return CaretFrame.visible(name == "<stdin>" ? "stdin" : String(path))
  }

  /// Wide characters are shown as text; everything else as it lies in the file, so that the diff fits.
  private static func text(of bytes: [UInt8]) -> [UInt8] {
    guard bytes.prefix(1024).contains(0), let source = DocumentReader.read(bytes, named: "").document?.source else {
      return bytes
    }
    return source.bytes
  }
}
