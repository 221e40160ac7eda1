import AppRegistration
import Diagnostics
import Documents
import Effects
import Trust

/// Finds and reads the files to check at the paths that the user specified.
package struct ProjectSearch: Sendable {
  package struct Result: Sendable {
    package var files: [NamedFile] = []
    /// Errors for files that cannot be read.
    package var unreadable: [Diagnostic] = []
    /// The files that the user specified, as opposed to files found in searched folders.
    package var named: Set<String> = []
    /// The searched folders, with the paths that the user specified.
    package var folders: [String] = []
    /// The searched folders as absolute paths.
    package var searched: Set<String> = []
    /// The searched folders and their searched subfolders.
    package var directories: [String] = []
    /// The configuration of each file that has one.
    package var configurations: [String: ValidationConfiguration] = [:]

    package init() {}

    /// Whether the search ended early because a folder contains too many files.
    package var isIncomplete: Bool { files.count >= ProjectSearch.fileLimit }
  }

  private let world: World
  private let configurations: PathConfigurations
  /// The path to use for the contents of standard input (`-`), or nil if there is none.
  private let standardInput: String?

  package init(in world: World, configurations: PathConfigurations, standardInput: String? = nil) {
    self.world = world
    self.configurations = configurations
    self.standardInput = standardInput
  }

  /// The extensions of files that can be checked.
  private static let extensions = ["plist", "json", "jsonc", "yaml", "yml", "entitlements", "xml", "pbxproj"]
  /// Additional extensions for templates and backups, as in `AuthSettings.plist.example`.
  private static let variants: Set<String> = ["example", "template", "sample", "dist", "default", "bak", "orig", "tpl"]
  /// Folders of dependencies and build products, which are not searched.
  private static let skippedFolders: Set<String> = [
    "node_modules", "Pods", "DerivedData", "build", "Carthage", "vendor", "bower_components", "xcuserdata",
  ]
  /// Large files that never contain a registration.
  private static let skippedFiles: Set<String> = ["package-lock.json", "npm-shrinkwrap.json", "composer.lock"]
  private static let depthLimit = 64
  package static let fileLimit = 100_000

  /// Searches folders and reads files. If the task is canceled, the result is incomplete.
  /// - Parameter paths: Files, folders, and `-` for standard input.
  package func collect(_ paths: [String]) -> Result {
    var result = Result()
    let reader = ProjectReader(inputs: paths, in: world)
    var visited: Set<String> = []
    for path in paths {
      let configuration = configurations.configuration(for: path)
      if path != "-", world.files.kind(of: path) == .directory {
        var search = Search(
          root: path, configuration: configuration, parentRules: ignoreRules(above: absolute(path)))
        if result.searched.insert(absolute(path)).inserted { result.folders.append(path) }
        self.search(path, depth: 0, &search, &result, &visited)
        if result.isIncomplete { return result }
        continue
      }
      guard visited.insert(absolute(path)).inserted else { continue }
      if let error = reader.outsideProjectError(path) {
        result.unreadable.append(error)
        continue
      }
      switch bytes(of: path) {
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

  private func absolute(_ path: String) -> String { FilePath.join(world.environment.workingDirectory, path) }

  private func bytes(of path: String) -> Swift.Result<[UInt8], UnreadableFile> {
    world.bytes(of: path == "-" ? standardInput ?? path : path, named: path)
  }

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
    _ folder: String, depth: Int, _ search: inout Search, _ result: inout Result,
    _ visited: inout Set<String>
  ) {
    guard depth < Self.depthLimit else { return }
    result.directories.append(folder)
    let names: [String]
    do {
      names = try world.files.list(folder)
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
      // Check the name before the kind, because determining the kind requires disk access.
      let isCandidate = Self.isCandidate(name)
      switch world.files.kind(of: path) {
      case .directory:
        guard !Self.skippedFolders.contains(name), !world.files.isLink(path), !isIgnored(path, search.rules),
          search.configuration?.excludes(absolute(path)) != true
        else { continue }
        self.search(path, depth: depth + 1, &search, &result, &visited)
      // Links are skipped, because the search finds their targets if they are in the folder.
      case .file where isCandidate && !world.files.isLink(path):
        guard search.configuration?.excludes(absolute(path)) != true, visited.insert(absolute(path)).inserted
        else { continue }
        switch bytes(of: path) {
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
  package static func isCandidate(_ name: String) -> Bool {
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
    guard world.files.kind(of: path) == .file, case .success(let bytes) = bytes(of: path) else {
      return []
    }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap { line in
      GitIgnoreRule(line).map { (absolute(folder), $0) }
    }
  }

  /// Returns the rules of the parent folders, up to the root of the repository. If there is no repository, the search
  /// ends at the working directory.
  private func ignoreRules(above path: String) -> [ScopedIgnoreRule] {
    let files = world.files
    let workingDirectory = world.environment.workingDirectory
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
