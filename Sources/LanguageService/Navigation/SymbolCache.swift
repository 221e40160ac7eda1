import Diagnostics
import Effects
import Synchronization

/// The symbols of a snapshot, which are collected on first use.
final class SnapshotSymbols: Sendable {
  private let built = Mutex<SymbolIndex?>(nil)
  private let cache: FileSymbolsCache

  init(cache: FileSymbolsCache) { self.cache = cache }

  func index(_ build: () -> SymbolIndex) -> SymbolIndex {
    built.withLock { built in
      if let built { return built }
      let index = build()
      if !Task.isCancelled { built = index }
      return index
    }
  }

  func file(_ document: SnapshotDocument) -> FileSymbols? { cache.symbols(of: document) }

  /// Returns whether a file may be a workflow, a scenarios file, a directory, or settings. A project's other files are
  /// not parsed.
  func mayContainSymbols(_ bytes: [UInt8], named name: String) -> Bool { cache.mayContainSymbols(bytes, named: name) }
}

/// The symbols of parsed documents. The symbols of a file are reused until its content changes.
final class FileSymbolsCache: Sendable {
  private let files = Mutex<[String: (source: SourceText, symbols: FileSymbols?)]>([:])
  private let searched = Mutex<[String: (bytes: [UInt8], mayContainSymbols: Bool)]>([:])

  func symbols(of document: SnapshotDocument) -> FileSymbols? {
    if let cached = files.withLock({ $0[document.name] }), cached.source === document.source { return cached.symbols }
    let symbols = FileSymbols(document.parsed)
    files.withLock { $0[document.name] = (document.source, symbols) }
    return symbols
  }

  func mayContainSymbols(_ bytes: [UInt8], named name: String) -> Bool {
    if let cached = searched.withLock({ $0[name] }), cached.bytes == bytes { return cached.mayContainSymbols }
    let isFound = Self.keys.contains { bytes.firstRange(ofBytes: $0) != nil }
    searched.withLock { $0[name] = (bytes, isFound) }
    return isFound
  }

  /// Keys that occur in files with symbols.
  private static let keys = ["authflow", "steps", "directory", "InfoPlist", "info_plist"].map { Array($0.utf8) }
}
