import AppRegistration
import Diagnostics
import Documents
import FuzzSupport
import Validation

/// Validates files with various names, alone and together, and applies their fixes.
enum ValidationTarget {
  private static let names = [
    "AuthSettings.plist", "Info.plist", "App.entitlements", "auth_config.json", "manifest.json", "appsettings.json",
    "AndroidManifest.xml", "me.yaml", "directory.yaml", "project.pbxproj", "App.xcconfig", "x.json",
  ]

  /// The separator between two files in an input. The next byte selects the name of the second file.
  private static let separator = Array("\n%%%%".utf8)

  static func run(_ input: [UInt8]) -> CInt {
    let files = files(in: input)
    guard !files.isEmpty else { return 0 }
    let report = validate(files)
    Oracles.check(report.diagnostics)
    Oracles.require(
      Oracles.said(validate(files).diagnostics) == Oracles.said(report.diagnostics),
      "the second validation reported different diagnostics")
    for diagnostic in report.diagnostics {
      if let fix = diagnostic.fix { make(fix, of: diagnostic, in: files) }
    }
    return 0
  }

  private static func files(in input: [UInt8]) -> [NamedFile] {
    var files: [NamedFile] = []
    var rest = input[...]
    while let choice = rest.popFirst(), files.count < 8 {
      let end = rest.indices.first { rest[$0...].starts(with: separator) } ?? rest.endIndex
      var name = names[Int(choice) % names.count]
      if files.contains(where: { $0.name == name }) { name = "other\(files.count)/\(name)" }
      files.append(NamedFile(name: name, bytes: Array(rest[..<end])))
      rest = rest[end...].dropFirst(separator.count)
    }
    return files
  }

  private static func validate(_ files: [NamedFile]) -> ValidationReport {
    ProjectValidator(now: 1_750_000_000) { path, options in
      guard let file = files.first(where: { $0.name == path }) else {
        return ReadResult(
          document: nil, diagnostics: [Diagnostic(.error, rule: "no-file", "no file \(path)", at: .file(path))])
      }
      return DocumentReader.read(file.bytes, named: path, options: options)
    }.validate(files)
  }

  /// Applies a fix and checks that the file is still valid.
  private static func make(_ fix: Diagnostic.Fix, of diagnostic: Diagnostic, in files: [NamedFile]) {
    let source = diagnostic.place.source
    guard !source.isBinary, let index = files.firstIndex(where: { $0.name == source.name }) else { return }
    var mended = files
    do throws(SpanEdits.Conflict) {
      mended[index].bytes = try SpanEdits.bytes(of: files[index].bytes, after: fix.edits, in: source)
    } catch {
      if case .unwritable = error { return }
      return Oracles.require(false, "a fix of \(diagnostic.rule) was rejected: \(error.reason)")
    }
    _ = UnifiedDiff.bytes(old: files[index].bytes, new: mended[index].bytes, name: source.name)
    var options = ReadingOptions()
    options.toleratesComments = true
    func breaks(_ file: NamedFile) -> Bool {
      if AndroidManifest.recognizes(file.bytes) {
        return XMLDocumentReader.read(file.bytes, named: file.name).diagnostics.hasErrors
      }
      return DocumentReader.read(file.bytes, named: file.name, options: options).diagnostics.hasErrors
    }
    if !breaks(files[index]) {
      Oracles.require(!breaks(mended[index]), "a fix of \(diagnostic.rule) leaves text that cannot be read")
    }
  }
}
