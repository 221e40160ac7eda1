import AppRegistration
import Diagnostics
import Directory
import Documents

/// The declarations and references of all symbols in a snapshot, linked across files.
package struct SymbolIndex: Sendable {
  /// The occurrences in each file, in document order.
  private(set) var byFile: [String: [SymbolOccurrence]] = [:]
  private var bySymbol: [Symbol: [SymbolOccurrence]] = [:]
  let files: [FileSymbols]

  init(_ files: [FileSymbols]) {
    self.files = files
    let links = SymbolLinks(files)
    for file in files {
      var found: [SymbolOccurrence] = []
      for occurrence in links.occurrences(in: file) { found.append(occurrence) }
      found.sort { ($0.span.start, -$0.span.end) < ($1.span.start, -$1.span.end) }
      var seen: Set<Key> = []
      found = found.filter { seen.insert(Key(symbol: $0.symbol, span: $0.span)).inserted }
      byFile[file.name] = found
      for occurrence in found { bySymbol[occurrence.symbol, default: []].append(occurrence) }
    }
  }

  private struct Key: Hashable {
    var symbol: Symbol
    var span: SourceSpan
  }

  /// Returns the occurrence at an offset in a file. The offset can also be directly after the name.
  package func occurrence(at offset: Int, in file: String) -> SymbolOccurrence? {
    let touching = (byFile[file] ?? []).filter { $0.span.start <= offset && offset <= $0.span.end }
    let smallest = touching.min { left, right in
      let (leftContains, rightContains) = (offset < left.span.end, offset < right.span.end)
      if leftContains != rightContains { return leftContains }
      return left.span.end - left.span.start < right.span.end - right.span.start
    }
    return smallest
  }

  /// Returns the occurrences of a symbol in file order.
  package func occurrences(of symbol: Symbol) -> [SymbolOccurrence] { bySymbol[symbol] ?? [] }

  /// Returns the declarations of a symbol.
  package func declarations(of symbol: Symbol) -> [SymbolOccurrence] {
    occurrences(of: symbol).filter(\.isDeclaration)
  }

  package var symbols: some Collection<Symbol> { bySymbol.keys }
}

/// The links between files, which determine the symbol of each name.
struct SymbolLinks {
  private let files: [String: FileSymbols]
  /// The step IDs in each workflow, with the workflow that each step runs, if any.
  private var steps: [String: [String: String?]] = [:]
  private var variables: [String: Set<String>] = [:]
  private var clients: [String: Set<String>] = [:]
  private var variableSets = DisjointSets<Symbol>()
  private var clientSets = DisjointSets<Symbol>()
  private var accountSets = DisjointSets<String>()
  private var accounts: [String: Set<String>] = [:]

  init(_ list: [FileSymbols]) {
    files = Dictionary(list.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for file in list {
      var ids: [String: String?] = [:]
      for step in file.steps { ids[step.declaration.name] = .some(ids[step.declaration.name] ?? step.usedFile) }
      steps[file.name] = ids
      variables[file.name] = Set((file.captures + file.inputs).map(\.name))
      clients[file.name] = Set(file.clients.map(\.name))
    }
    var captured: [String: Set<String>] = [:]
    var clientNames: [String: Set<String>] = [:]
    for file in list where file.kind == .workflow {
      let used = file.usedFiles
      for inner in used {
        for name in capturedNames(of: inner, &captured, []) {
          variables[file.name, default: []].insert(name)
          variableSets.join(Symbol(.variable, name, in: file.name), Symbol(.variable, name, in: inner))
        }
        for name in usedClients(of: inner, &clientNames, []) {
          clientSets.join(Symbol(.client, name, in: file.name), Symbol(.client, name, in: inner))
        }
        accountSets.join(file.name, inner)
      }
    }
    for file in list {
      accountSets.join(file.name, file.scope)
      for directory in file.directories { accountSets.join(file.name, directory) }
    }
    for file in list where !file.accounts.isEmpty {
      accounts[accountSets.root(of: file.name), default: []].formUnion(file.accounts.map(\.name))
    }
  }

  /// Returns the variables that the steps of a workflow capture, including the captures in workflows that these steps
  /// run.
  private func capturedNames(of file: String, _ known: inout [String: Set<String>], _ chain: Set<String>) -> Set<String>
  {
    if let names = known[file] { return names }
    guard let symbols = files[file], !chain.contains(file) else { return [] }
    var names = Set(symbols.captures.map(\.name))
    for inner in symbols.usedFiles { names.formUnion(capturedNames(of: inner, &known, chain.union([file]))) }
    known[file] = names
    return names
  }

  /// Returns the clients that the steps of a workflow use. The workflow that runs these steps declares the clients.
  private func usedClients(of file: String, _ known: inout [String: Set<String>], _ chain: Set<String>) -> Set<String> {
    if let names = known[file] { return names }
    guard let symbols = files[file], !chain.contains(file) else { return [] }
    var names: Set<String> = []
    for case .client(let name, _, _) in symbols.references { names.insert(name) }
    for inner in symbols.usedFiles { names.formUnion(usedClients(of: inner, &known, chain.union([file]))) }
    known[file] = names
    return names
  }

  // MARK: Symbols

  private func variable(_ name: String, in file: String) -> Symbol {
    variableSets.root(of: Symbol(.variable, name, in: file))
  }

  private func client(_ name: String, in file: String) -> Symbol {
    clientSets.root(of: Symbol(.client, name, in: file))
  }

  /// Returns the symbol of a username, or nil if none of the file's directories contains the username.
  private func account(_ name: String, in file: String) -> Symbol? {
    let root = accountSets.root(of: file)
    if accounts[root]?.contains(name) == true { return Symbol(.account, name, in: root) }
    return Self.builtIn.contains(name) ? Symbol(.account, name, in: Symbol.builtInFile) : nil
  }

  /// The usernames in the built-in directory, in lowercase.
  static let builtIn = Set(EmulatedDirectory.contoso.tenants.flatMap(\.users).map { $0.username.lowercased() })

  /// Returns all occurrences in a file.
  func occurrences(in file: FileSymbols) -> [SymbolOccurrence] {
    var found: [SymbolOccurrence] = []
    func declare(_ declarations: [FileSymbols.Declaration], _ symbol: (String) -> Symbol?) {
      for declaration in declarations {
        guard let symbol = symbol(declaration.name) else { continue }
        found.append(
          SymbolOccurrence(
            symbol: symbol, role: declaration.role, place: declaration.place, extent: declaration.extent))
      }
    }
    declare(file.steps.map(\.declaration)) { Symbol(.step, $0, in: file.name) }
    declare(file.captures + file.inputs) { variable($0, in: file.name) }
    declare(file.clients) { client($0, in: file.name) }
    declare(file.scenarios) { Symbol(.scenario, $0, in: file.name) }
    declare(file.accounts) { account($0, in: file.name) }
    for reference in file.references {
      for (symbol, place) in symbols(of: reference, in: file) {
        found.append(SymbolOccurrence(symbol: symbol, role: .reference, place: place, extent: place.span))
      }
    }
    return found
  }

  private func symbols(of reference: FileSymbols.Reference, in file: FileSymbols) -> [(Symbol, NamePlace)] {
    let scope = file.scope
    switch reference {
    case .step(let segments, let canBeVariable, let hasField):
      return address(segments, canBeVariable: canBeVariable, hasField: hasField, in: scope)
    case .variable(let name, let place, let onlyIfKnown):
      if onlyIfKnown, variables[scope]?.contains(name) != true { return [] }
      return [(variable(name, in: scope), place)]
    case .input(let name, let place, let used): return [(variable(name, in: used), place)]
    case .client(let name, let place, let onlyIfKnown):
      if onlyIfKnown, clients[scope]?.contains(name) != true { return [] }
      return [(client(name, in: scope), place)]
    case .account(let name, let place): return account(name, in: file.name).map { [($0, place)] } ?? []
    case .file(let path, let place): return [(Symbol(.file, path, in: path), place)]
    case .rule(let id, let place): return [(Symbol(.rule, id, in: ""), place)]
    }
  }

  /// Returns the symbols of an address. Each segment is a step in the workflow that the previous segment runs.
  private func address(
    _ segments: [(name: String, place: NamePlace)], canBeVariable: Bool, hasField: Bool, in scope: String
  ) -> [(Symbol, NamePlace)] {
    let first = segments[0]
    if canBeVariable, segments.count == 1, steps[scope]?[first.name] == nil,
      !hasField || variables[scope]?.contains(first.name) == true
    {
      return [(variable(first.name, in: scope), first.place)]
    }
    var found: [(Symbol, NamePlace)] = []
    var workflow: String? = scope
    for segment in segments {
      guard let file = workflow else { break }
      found.append((Symbol(.step, segment.name, in: file), segment.place))
      workflow = steps[file]?[segment.name].flatMap { $0 }
    }
    return found
  }
}

/// Sets of elements that represent the same symbol (union-find).
struct DisjointSets<Element: Hashable & Sendable>: Sendable {
  private var parents: [Element: Element] = [:]

  func root(of element: Element) -> Element {
    var root = element
    while let parent = parents[root] { root = parent }
    return root
  }

  mutating func join(_ left: Element, _ right: Element) {
    let (left, right) = (root(of: left), root(of: right))
    if left != right { parents[right] = left }
  }
}
