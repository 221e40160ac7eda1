import AppRegistration
import Diagnostics
import Documents
import Validation

/// A location that an editor can navigate to.
package struct NavigationTarget: Sendable {
  /// The name of the file, relative to the folder of the snapshot.
  package let file: String
  package let source: SourceText
  /// The name.
  package let span: SourceSpan
  /// The complete declaration.
  package let extent: SourceSpan
}

/// A path in a document that an editor can open.
package struct DocumentLink: Sendable {
  package let span: SourceSpan
  /// The absolute path of the file, or nil for a URL.
  package let path: String?
  /// The URL, or nil for a file.
  package let url: String?
}

/// A named declaration that a user can search for.
package struct WorkspaceSymbol: Sendable {
  package let name: String
  package let kind: Symbol.Kind
  package let place: NavigationTarget
}

extension WorkspaceSnapshot {
  /// The symbols of all files.
  package var symbolIndex: SymbolIndex { symbolIndex(replacing: [:]) }

  /// Returns the symbols as if some files had the given contents.
  func symbolIndex(replacing contents: [String: [UInt8]]) -> SymbolIndex {
    if contents.isEmpty { return symbols.index { SymbolIndex(fileSymbols(replacing: [:])) } }
    return SymbolIndex(fileSymbols(replacing: contents))
  }

  private func fileSymbols(replacing contents: [String: [UInt8]]) -> [FileSymbols] {
    var names =
      files.filter { contents[$0.name] != nil || symbols.mayContainSymbols($0.bytes, named: $0.name) }
      .map(\.name) + ValidationConfiguration.fileNames
    let known = Set(names)
    names += openPaths.map(name(of:)).filter { !known.contains($0) }
    return names.compactMap { name in
      if let bytes = contents[name] {
        return FileSymbols(ParsedDocument(bytes, named: name))
      }
      return document(at: name).flatMap(symbols.file)
    }
  }

  // MARK: Features

  /// Returns the declarations of the name at an offset.
  package func definitions(at offset: Int, in document: SnapshotDocument) -> (
    origin: SourceSpan, targets: [NavigationTarget]
  )? {
    let index = symbolIndex
    guard let occurrence = index.occurrence(at: offset, in: document.name) else { return nil }
    if occurrence.symbol.kind == .file {
      guard let target = self.document(at: occurrence.symbol.name) else { return nil }
      let start = SourceSpan.at(0)
      return (
        occurrence.span, [NavigationTarget(file: target.name, source: target.source, span: start, extent: start)]
      )
    }
    return (occurrence.span, index.declarations(of: occurrence.symbol).map(NavigationTarget.init))
  }

  /// Returns all occurrences of the name at an offset.
  package func references(
    at offset: Int, in document: SnapshotDocument, includingDeclarations: Bool
  ) -> [NavigationTarget] {
    let index = symbolIndex
    guard let occurrence = index.occurrence(at: offset, in: document.name) else { return [] }
    return index.occurrences(of: occurrence.symbol).filter { includingDeclarations || !$0.isDeclaration }
      .map(NavigationTarget.init)
  }

  /// Returns the occurrences, in the same document, of the name at an offset.
  package func highlights(at offset: Int, in document: SnapshotDocument) -> [(span: SourceSpan, isDeclaration: Bool)] {
    let index = symbolIndex
    guard let occurrence = index.occurrence(at: offset, in: document.name) else { return [] }
    return index.occurrences(of: occurrence.symbol).filter { $0.file == document.name }
      .map { ($0.span, $0.isDeclaration) }
  }

  /// Returns the files and schemas that a document refers to.
  package func links(in document: SnapshotDocument) -> [DocumentLink] {
    var links: [DocumentLink] = []
    for occurrence in symbolIndex.byFile[document.name] ?? [] where occurrence.symbol.kind == .file {
      guard self.document(at: occurrence.symbol.name) != nil else { continue }
      links.append(DocumentLink(span: occurrence.span, path: path(of: occurrence.symbol.name), url: nil))
    }
    if let node = document.tree?.root["$schema"], let text = node.string, !text.isEmpty {
      let isURL = text.hasPrefix("https://") || text.hasPrefix("http://")
      let file = FilePath.join(FilePath.folder(of: document.name), text)
      if isURL {
        links.append(DocumentLink(span: node.innerSpan, path: nil, url: text))
      } else if self.document(at: file) != nil {
        links.append(DocumentLink(span: node.innerSpan, path: path(of: file), url: nil))
      }
    }
    return links
  }

  /// Returns the declarations whose names contain the characters of a query in order, ignoring case. The best matches
  /// come first.
  package func symbols(matching query: String, limit: Int = 200) -> [WorkspaceSymbol] {
    let index = symbolIndex
    let wanted = query.lowercased()
    var found: [(rank: Int, symbol: WorkspaceSymbol)] = []
    for file in index.files {
      for occurrence in index.byFile[file.name] ?? [] where occurrence.isDeclaration {
        let name = occurrence.symbol.name
        guard let rank = Self.rank(of: name.lowercased(), for: wanted) else { continue }
        found.append(
          (rank, WorkspaceSymbol(name: name, kind: occurrence.symbol.kind, place: NavigationTarget(occurrence))))
      }
    }
    return found.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
      .prefix(limit).map(\.element.symbol)
  }

  private static func rank(of name: String, for query: String) -> Int? {
    if name == query { return 0 }
    if name.hasPrefix(query) { return 1 }
    if name.contains(query) { return 2 }
    var rest = query[...]
    for character in name where character == rest.first { rest = rest.dropFirst() }
    return rest.isEmpty ? 3 : nil
  }
}

extension NavigationTarget {
  init(_ occurrence: SymbolOccurrence) {
    self.init(
      file: occurrence.file, source: occurrence.source, span: occurrence.span,
      extent: SourceSpan(
        start: min(occurrence.extent.start, occurrence.span.start),
        end: max(occurrence.extent.end, occurrence.span.end)))
  }
}
