import AppRegistration
import Diagnostics
import Documents
import Effects
import Validation
import WorkflowModel

/// The reason why a name cannot be changed.
package struct RenameError: Error, Sendable {
  package let message: String

  init(_ message: String) { self.message = message }
}

extension WorkspaceSnapshot {
  /// Returns the name at an offset, which a rename would change.
  package func renameTarget(
    at offset: Int, in document: SnapshotDocument
  ) throws(RenameError) -> (span: SourceSpan, name: String) {
    let occurrence = try renamedOccurrence(at: offset, in: document, symbolIndex)
    return (occurrence.span, occurrence.place.text)
  }

  private func renamedOccurrence(
    at offset: Int, in document: SnapshotDocument, _ index: SymbolIndex
  ) throws(RenameError) -> SymbolOccurrence {
    guard let occurrence = index.occurrence(at: offset, in: document.name) else {
      throw RenameError("no step, variable, client, scenario, or account here")
    }
    let symbol = occurrence.symbol
    switch symbol.kind {
    case .file: throw RenameError("cannot rename files: rename `\(symbol.name)` and change the paths")
    case .rule: throw RenameError("cannot rename `\(symbol.name)`: rule IDs are built in")
    case .account where SymbolLinks.builtIn.contains(symbol.name):
      throw RenameError("cannot rename `\(symbol.name)`: the user is in the built-in directory")
    default: break
    }
    guard !index.declarations(of: symbol).isEmpty else {
      throw RenameError("cannot rename `\(symbol.name)`: its declaration was not found")
    }
    return occurrence
  }

  /// Returns the edits that rename the symbol at an offset, by file name. Each file has at least one edit.
  ///
  /// The edits change all references. If a reference cannot be changed, or if the result has new errors, the method
  /// throws an error.
  package func rename(
    at offset: Int, in document: SnapshotDocument, to newName: String
  ) throws(RenameError) -> [(file: String, edits: [Diagnostic.Edit])] {
    let index = symbolIndex
    let occurrence = try renamedOccurrence(at: offset, in: document, index)
    let symbol = occurrence.symbol
    if newName == occurrence.place.text { return [] }
    try checkName(newName, of: symbol, index)
    try checkSyntax(of: symbol, index)
    let occurrences = index.occurrences(of: symbol)
    var byFile: [(file: String, edits: [Diagnostic.Edit])] = []
    var contents: [String: [UInt8]] = [:]
    for file in index.files where occurrences.contains(where: { $0.file == file.name }) {
      let edits = try RenameEdits(newName).edits(of: occurrences.filter { $0.file == file.name })
      do throws(SpanEdits.Conflict) {
        contents[file.name] = try SpanEdits.apply(edits, to: file.document.source)
      } catch {
        throw RenameError("cannot rename `\(symbol.name)` in `\(file.name)`: \(error.reason)")
      }
      if !edits.isEmpty { byFile.append((file.name, edits)) }
    }
    try checkReferences(of: symbol, occurrences, contents, newName)
    try checkFindings(contents, renaming: symbol.name)
    return byFile
  }

  // MARK: Checks

  private func checkName(_ name: String, of symbol: Symbol, _ index: SymbolIndex) throws(RenameError) {
    guard !name.isEmpty else { throw RenameError("empty name") }
    switch symbol.kind {
    case .step:
      guard name.utf8.allSatisfy(Self.isStepIDByte) else {
        throw RenameError("invalid step ID `\(name)`: use letters, digits, `-`, and `_`")
      }
      guard !Step.reservedIDs.contains(name) else { throw RenameError("reserved step ID `\(name)`") }
    case .variable:
      guard Template.isName(name) else {
        throw RenameError("invalid name `\(name)`: use letters, digits, `-`, and `_`")
      }
      guard ResultField(rawValue: name) == nil else { throw RenameError("reserved name `\(name)`") }
    case .account:
      guard name.utf8.contains(UInt8(ascii: "@")), !name.contains(where: \.isWhitespace) else {
        throw RenameError("invalid username `\(name)`: use a name such as `megan@contoso.com`")
      }
      guard !SymbolLinks.builtIn.contains(name.lowercased()) else {
        throw RenameError("`\(name)` is already a user in the built-in directory")
      }
    case .client, .scenario, .file, .rule:
      guard !name.contains(where: \.isNewline), name.contains(where: { !$0.isWhitespace }) else {
        throw RenameError("invalid name: use a single line")
      }
    }
    if let other = conflict(of: name, with: symbol, index) {
      throw RenameError("`\(name)` is already \(other)")
    }
  }

  private static func isStepIDByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Returns a description of the symbol that already has the new name. Steps and variables share one namespace,
  /// because addresses can refer to both.
  private func conflict(of name: String, with symbol: Symbol, _ index: SymbolIndex) -> String? {
    let sameName = symbol.kind == .account ? name.lowercased() : name
    guard sameName != symbol.name else { return nil }
    if !index.occurrences(of: Symbol(symbol.kind, sameName, in: symbol.file)).isEmpty { return symbol.kind.description }
    guard symbol.kind == .step || symbol.kind == .variable || symbol.kind == .client else { return nil }
    // In the files where the symbol is visible, the new name may already refer to another symbol, such as a capture in
    // a workflow that a step runs.
    let files = Set(index.occurrences(of: symbol).map(\.file))
    for file in index.files where files.contains(file.name) || files.contains(file.scope) || file.name == symbol.file {
      for occurrence in index.byFile[file.name] ?? [] where occurrence.symbol.name == name {
        switch (symbol.kind, occurrence.symbol.kind) {
        case (.step, .variable), (.variable, .step), (.variable, .variable), (.client, .client):
          return occurrence.symbol.kind.description
        default: break
        }
      }
    }
    return nil
  }

  /// Throws an error if a file that may contain references has syntax errors.
  private func checkSyntax(of symbol: Symbol, _ index: SymbolIndex) throws(RenameError) {
    let name = Array(symbol.name.utf8)
    for file in index.files where file.isBroken && file.document.source.bytes.firstRange(ofBytes: name) != nil {
      throw RenameError("cannot rename `\(symbol.name)`: `\(file.name)` has syntax errors")
    }
  }

  /// Throws an error if the new text has fewer references than the old text.
  private func checkReferences(
    of symbol: Symbol, _ occurrences: [SymbolOccurrence], _ contents: [String: [UInt8]], _ newName: String
  ) throws(RenameError) {
    let index = symbolIndex(replacing: contents)
    let newSymbolName = symbol.kind == .account ? newName.lowercased() : newName
    // Renaming can change the common file of linked names.
    let renamed = index.symbols.filter { $0.kind == symbol.kind && $0.name == newSymbolName }
    for file in Set(occurrences.map(\.file)).sorted() {
      let before = occurrences.filter { $0.file == file }
      let after = (index.byFile[file] ?? []).filter { renamed.contains($0.symbol) }
      guard before.count <= after.count else {
        let line = before.first { $0.place.isAlias }?.fileSpan.start.line
        throw RenameError(
          "cannot rename every reference to `\(symbol.name)` in `\(file)`\(line.map { " (see line \($0))" } ?? "")"
        )
      }
    }
    let remaining = index.occurrences(of: symbol)
    if newSymbolName != symbol.name, let first = remaining.first {
      throw RenameError(
        "cannot rename the reference to `\(symbol.name)` in `\(first.file)`, line \(first.fileSpan.start.line)")
    }
  }

  /// Throws the first error in the new text that is not in the old text.
  private func checkFindings(_ contents: [String: [UInt8]], renaming name: String) throws(RenameError) {
    var changed = files
    for index in changed.indices {
      if let bytes = contents[changed[index].name] { changed[index].bytes = bytes }
    }
    struct Key: Hashable {
      var file: String
      var rule: String
    }
    var known: [Key: Int] = [:]
    for finding in report.diagnostics where finding.severity == .error {
      known[Key(file: finding.place.source.name, rule: finding.rule), default: 0] += 1
    }
    for finding in validate(changed).diagnostics where finding.severity == .error {
      let key = Key(file: finding.place.source.name, rule: finding.rule)
      guard let count = known[key], count > 0 else {
        throw RenameError("cannot rename `\(name)`: \(finding.message) (\(finding.place.source.name))")
      }
      known[key] = count - 1
    }
  }
}

extension Symbol.Kind {
  /// The kind, preceded by an article, for messages.
  package var description: String {
    switch self {
    case .step: "a step"
    case .variable: "a capture or an input"
    case .client: "a client"
    case .scenario: "a scenario"
    case .account: "a user"
    case .file: "a file"
    case .rule: "a rule"
    }
  }
}
