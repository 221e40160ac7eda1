import AppRegistration
import Diagnostics
import Documents
import Effects
import Trust
import Validation

/// Finds and reads the files to check at the paths on a command line.
struct ProjectFiles {
  struct SearchResult {
    var files: [NamedFile] = []
    /// Errors for files that cannot be read.
    var unreadable: [Diagnostic] = []
    /// The files that the user named, as opposed to files found in searched folders.
    var named: Set<String> = []
    /// The searched folders, with the paths that the user specified.
    var folders: [String] = []
    /// The searched folders as absolute paths.
    var searched: Set<String> = []
    /// The configuration of each file that has one.
    var configurations: [String: ValidationConfiguration] = [:]
  }

  let session: Session
  let configurations: ValidateConfigurations

  /// The extensions of files that can be checked.
  private static let extensions = ["plist", "json", "jsonc", "yaml", "yml", "entitlements", "xml", "pbxproj"]
  /// Additional extensions of templates and backups, as in `AuthSettings.plist.example`.
  private static let variants: Set<String> = ["example", "template", "sample", "dist", "default", "bak", "orig", "tpl"]
  /// Folders of dependencies and build products, which are not searched.
  private static let skippedFolders: Set<String> = [
    "node_modules", "Pods", "DerivedData", "build", "Carthage", "vendor", "bower_components", "xcuserdata",
  ]
  /// Large files that never contain a registration.
  private static let skippedFiles: Set<String> = ["package-lock.json", "npm-shrinkwrap.json", "composer.lock"]
  private static let depthLimit = 64
  private static let fileLimit = 100_000

  func collect(_ paths: [String]) throws(ExitStatus) -> SearchResult {
    var result = SearchResult()
    var visited: Set<String> = []
    for path in paths {
      let configuration = configurations.configuration(for: path)
      if path != "-", session.world.files.kind(of: path) == .directory {
        var search = Search(
          root: path, configuration: configuration, parentRules: ignoreRules(above: absolute(path)))
        if result.searched.insert(absolute(path)).inserted { result.folders.append(path) }
        self.search(path, depth: 0, &search, &result, &visited)
        if result.files.count >= Self.fileLimit {
          throw session.report(.usageError, "more than \(Self.fileLimit) files to check", help: "pass fewer folders")
        }
        continue
      }
      guard visited.insert(absolute(path)).inserted else { continue }
      let roots = ProjectRoots(of: [path], in: session.world)
      if let error = session.outsideProjectError(path, in: roots, inputs: paths) {
        result.unreadable.append(error)
        continue
      }
      switch session.bytes(of: path) {
      case .success(let bytes):
        let name = path == "-" ? "<stdin>" : path
        let isIgnored = path != "-" && isIgnored(path, ignoreRules(above: absolute(path)))
        result.files.append(NamedFile(name: name, bytes: bytes, isIgnored: isIgnored))
        result.named.insert(name)
        result.configurations[name] = configuration
      case .failure(let failure): result.unreadable.append(failure.diagnostic)
      }
    }
    return result
  }

  private func absolute(_ path: String) -> String { session.absolutePath(path) }

  // MARK: Searching

  private struct Search {
    let root: String
    let configuration: ValidationConfiguration?
    /// The rules of `.gitignore` files in the searched folders.
    var rules: [ScopedIgnoreRule] = []
    /// The rules of parent folders, which mark files as ignored but do not affect the search.
    var parentRules: [ScopedIgnoreRule]
  }

  private typealias ScopedIgnoreRule = (folder: String, rule: GitIgnoreRule)

  private func search(
    _ folder: String, depth: Int, _ search: inout Search, _ result: inout SearchResult,
    _ visited: inout Set<String>
  ) {
    guard depth < Self.depthLimit else { return }
    let names: [String]
    do {
      names = try session.world.files.list(folder)
    } catch {
      if visited.insert(absolute(folder)).inserted {
        result.unreadable.append(UnreadableFile(path: folder, failure: error).diagnostic)
      }
      return
    }
    let ruleCount = search.rules.count
    if names.contains(".gitignore") { search.rules += ignoreRules(in: folder) }
    for name in names where !name.hasPrefix(".") && result.files.count < Self.fileLimit && !Task.isCancelled {
      let path = Self.path(folder, name)
      // Check the name before the kind, which requires disk access.
      let isCandidate = Self.isCandidate(name)
      switch session.world.files.kind(of: path) {
      case .directory:
        guard !Self.skippedFolders.contains(name), !session.world.files.isLink(path), !isIgnored(path, search.rules),
          search.configuration?.excludes(absolute(path)) != true
        else { continue }
        self.search(path, depth: depth + 1, &search, &result, &visited)
      // Links are skipped, because the search finds their targets if they are in the folder.
      case .file where isCandidate && !session.world.files.isLink(path):
        guard search.configuration?.excludes(absolute(path)) != true, visited.insert(absolute(path)).inserted
        else { continue }
        switch session.bytes(of: path) {
        case .success(let bytes):
          guard Self.isWorthReading(name, bytes) else { continue }
          let isIgnored = isIgnored(path, search.parentRules + search.rules)
          result.files.append(NamedFile(name: path, bytes: bytes, root: search.root, isIgnored: isIgnored))
          result.configurations[path] = search.configuration
        case .failure(let failure):
          // Skip the file, because settings files are not this large.
          if case .tooLarge = failure.failure { continue }
          result.unreadable.append(failure.diagnostic)
        }
      default: break
      }
    }
    search.rules.removeLast(search.rules.count - ruleCount)
  }

  private static func path(_ folder: String, _ name: String) -> String {
    folder == "." ? name : folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// Whether a file with this name can be checked, such as `Info.plist` or `msal_config.json.example`.
  static func isCandidate(_ name: String) -> Bool {
    guard !skippedFiles.contains(name) else { return false }
    var parts = name.lowercased().split(separator: ".", omittingEmptySubsequences: false).dropFirst()
    while let last = parts.last, variants.contains(String(last)) { parts.removeLast() }
    // In names such as `Info.plist@1a2b.example`, a version follows the at sign.
    guard let fileExtension = parts.last?.prefix(while: { $0 != "@" }) else { return false }
    return extensions.contains(String(fileExtension))
      || parts.dropLast().contains { part in
        part.contains("@") && extensions.contains(String(part.prefix { $0 != "@" }))
      }
  }

  /// Whether the content of a file is worth checking. Most XML files are not.
  private static func isWorthReading(_ name: String, _ bytes: [UInt8]) -> Bool {
    guard name.lowercased().contains(".xml") else { return true }
    return AndroidManifest.recognizes(bytes)
      || bytes.prefix(1024).split(separator: UInt8(ascii: "<")).contains { $0.starts(with: "plist".utf8) }
  }

  // MARK: .gitignore

  private func ignoreRules(in folder: String) -> [ScopedIgnoreRule] {
    let path = Self.path(folder, ".gitignore")
    guard session.world.files.kind(of: path) == .file, case .success(let bytes) = session.bytes(of: path) else {
      return []
    }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap { line in
      GitIgnoreRule(line).map { (absolute(folder), $0) }
    }
  }

  /// Returns the rules of the parent folders, up to the root of the repository. If there is no repository, the search
  /// ends at the working directory.
  private func ignoreRules(above path: String) -> [ScopedIgnoreRule] {
    let files = session.world.files
    let workingDirectory = session.world.environment.workingDirectory
    var folders: [String] = []
    var current = path
    while true {
      if files.kind(of: Self.path(current, ".git")) != nil {
        return folders.reversed().flatMap { ignoreRules(in: $0) }
      }
      if current == "/" { break }
      let parent = FilePath.folder(of: current)
      current = parent.isEmpty ? "/" : parent
      folders.append(current)
    }
    let isFile = files.kind(of: path) == .file
    return folders.enumerated().filter { index, folder in
      isFile && index == 0 || folder == workingDirectory || folder.hasPrefix(workingDirectory + "/")
    }.reversed().flatMap { ignoreRules(in: $0.element) }
  }

  /// Whether the last matching rule ignores the path, as in Git.
  private func isIgnored(_ path: String, _ rules: [ScopedIgnoreRule]) -> Bool {
    guard !rules.isEmpty else { return false }
    let path = absolute(path)
    var isIgnored = false
    for (folder, rule) in rules {
      let base = folder == "/" ? "/" : folder + "/"
      guard path.hasPrefix(base), rule.glob.matches(String(path.dropFirst(base.count))) else { continue }
      isIgnored = !rule.isNegated
    }
    return isIgnored
  }
}

/// A rule from `.gitignore`. Character classes and escapes are not supported.
struct GitIgnoreRule {
  let glob: PathGlob
  let isNegated: Bool

  /// Parses a line. Returns nil for empty lines, comments, and unsupported rules.
  init?(_ line: Substring) {
    var text = line
    while text.last == " " || text.last == "\t" { text.removeLast() }
    isNegated = text.first == "!"
    if isNegated { text.removeFirst() }
    guard !text.isEmpty, text.first != "#", !text.contains(where: { "[]\\".contains($0) }) else { return nil }
    glob = PathGlob(String(text))
  }
}
