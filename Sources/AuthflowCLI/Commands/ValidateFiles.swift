import AppRegistration
import Diagnostics
import Documents
import Effects
import Trust
import Validation

/// The files that are meant by a list of paths.
struct ProjectFiles {
  struct Found {
    var files: [NamedFile] = []
    /// What was named and could not be read.
    var unreadable: [Diagnostic] = []
    /// The names of the files that were named themselves, not found in a folder.
    var named: Set<String> = []
    /// The folders that were searched, as they were named.
    var folders: [String] = []
    /// The folders that were searched, as absolute paths.
    var searched: Set<String> = []
    /// The configuration of each file that has one.
    var configurations: [String: ValidationConfiguration] = [:]
  }

  let session: Session
  let configurations: ValidateConfigurations

  /// Files with other endings hold nothing that is checked here.
  private static let endings = ["plist", "json", "jsonc", "yaml", "yml", "entitlements", "xml", "pbxproj"]
  /// Behind such an ending, for a file that is there to be copied or was put aside: `AuthSettings.plist.example`.
  private static let variants: Set<String> = ["example", "template", "sample", "dist", "default", "bak", "orig", "tpl"]
  /// Folders of other people's files, and of what tools make.
  private static let passedOver: Set<String> = [
    "node_modules", "Pods", "DerivedData", "build", "Carthage", "vendor", "bower_components", "xcuserdata",
  ]
  /// Large, and never what is looked for.
  private static let passedOverFiles: Set<String> = ["package-lock.json", "npm-shrinkwrap.json", "composer.lock"]
  private static let deepest = 64
  private static let mostFiles = 100_000

  func collect(_ paths: [String]) throws(ExitStatus) -> Found {
    var found = Found()
    var seen: Set<String> = []
    for path in paths {
      let configuration = configurations.configuration(for: path)
      if path != "-", session.world.files.kind(of: path) == .directory {
        var search = Search(root: path, configuration: configuration, outer: ignoreRules(above: absolute(path)))
        if found.searched.insert(absolute(path)).inserted { found.folders.append(path) }
        self.search(path, depth: 0, &search, &found, &seen)
        if found.files.count >= Self.mostFiles {
          session.printStatus(
            "error: there are more than \(Self.mostFiles) files to check: name the folders that matter")
          throw .usageError
        }
        continue
      }
      guard seen.insert(absolute(path)).inserted else { continue }
      let roots = ProjectRoots(of: [path], in: session.world)
      if let unreadable = session.unreadable(path, in: roots, inputs: paths) {
        found.unreadable.append(unreadable)
        continue
      }
      switch session.bytes(of: path) {
      case .success(let bytes):
        let name = path == "-" ? "<stdin>" : path
        let isIgnored = path != "-" && isIgnored(path, ignoreRules(above: absolute(path)))
        found.files.append(NamedFile(name: name, bytes: bytes, isIgnored: isIgnored))
        found.named.insert(name)
        found.configurations[name] = configuration
      case .failure(let failure): found.unreadable.append(failure.diagnostic)
      }
    }
    return found
  }

  private func absolute(_ path: String) -> String {
    FilePath.join(session.world.environment.workingDirectory, path)
  }

  // MARK: Searching

  private struct Search {
    let root: String
    let configuration: ValidationConfiguration?
    /// The folders that `.gitignore` files name, each with the folder that it stands in.
    var ignored: [IgnoreRule] = []
    /// Those of the folders above: they tell which files stay out of version control, not what is searched.
    var outer: [IgnoreRule]
  }

  private typealias IgnoreRule = (folder: String, rule: IgnoredFolder)

  private func search(
    _ folder: String, depth: Int, _ search: inout Search, _ found: inout Found, _ seen: inout Set<String>
  ) {
    guard depth < Self.deepest else { return }
    let names: [String]
    do {
      names = try session.world.files.list(folder)
    } catch {
      if seen.insert(absolute(folder)).inserted {
        found.unreadable.append(UnreadableFile(path: folder, failure: error).diagnostic)
      }
      return
    }
    let outer = search.ignored.count
    if names.contains(".gitignore") { search.ignored += ignoreRules(in: folder) }
    for name in names where !name.hasPrefix(".") && found.files.count < Self.mostFiles && !Task.isCancelled {
      let path = Self.path(folder, name)
      // Most names need no look at the disk.
      let mayBeFile = Self.isCandidate(name)
      switch session.world.files.kind(of: path) {
      case .directory:
        guard !Self.passedOver.contains(name), !session.world.files.isLink(path), !isIgnored(path, search.ignored),
          search.configuration?.excludes(absolute(path)) != true
        else { continue }
        self.search(path, depth: depth + 1, &search, &found, &seen)
      // What a link leads to is found where it stands, if it belongs to the folder at all.
      case .file where mayBeFile && !session.world.files.isLink(path):
        guard search.configuration?.excludes(absolute(path)) != true, seen.insert(absolute(path)).inserted
        else { continue }
        switch session.bytes(of: path) {
        case .success(let bytes):
          guard Self.isWorthReading(name, bytes) else { continue }
          let isIgnored = isIgnored(path, search.outer + search.ignored)
          found.files.append(NamedFile(name: path, bytes: bytes, root: search.root, isIgnored: isIgnored))
          found.configurations[path] = search.configuration
        case .failure(let failure):
          // No settings are that large: such a file is somebody's data.
          if case .tooLarge = failure.failure { continue }
          found.unreadable.append(failure.diagnostic)
        }
      default: break
      }
    }
    search.ignored.removeLast(search.ignored.count - outer)
  }

  private static func path(_ folder: String, _ name: String) -> String {
    folder == "." ? name : folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// Whether a file's name leaves it open that something is checked in it: `Info.plist`, `msal_config.json.example`.
  static func isCandidate(_ name: String) -> Bool {
    guard !passedOverFiles.contains(name) else { return false }
    var parts = name.lowercased().split(separator: ".", omittingEmptySubsequences: false).dropFirst()
    while let last = parts.last, variants.contains(String(last)) { parts.removeLast() }
    // `Info.plist@1a2b.example` and the like: what stands behind an at sign tells versions apart.
    guard let ending = parts.last?.prefix(while: { $0 != "@" }) else { return false }
    return endings.contains(String(ending))
      || parts.dropLast().contains { part in
        part.contains("@") && endings.contains(String(part.prefix { $0 != "@" }))
      }
  }

  /// Most XML is a layout, or data of other programs.
  private static func isWorthReading(_ name: String, _ bytes: [UInt8]) -> Bool {
    guard name.lowercased().contains(".xml") else { return true }
    return AndroidManifest.isOne(bytes)
      || bytes.prefix(1024).split(separator: UInt8(ascii: "<")).contains { $0.starts(with: "plist".utf8) }
  }

  // MARK: .gitignore

  private func ignoreRules(in folder: String) -> [IgnoreRule] {
    let path = Self.path(folder, ".gitignore")
    guard session.world.files.kind(of: path) == .file, case .success(let bytes) = session.bytes(of: path) else {
      return []
    }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap { line in
      IgnoredFolder(line).map { (absolute(folder), $0) }
    }
  }

  /// The rules of the folders above a path, up to the repository's root; without a repository up to the working directory.
  private func ignoreRules(above path: String) -> [IgnoreRule] {
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

  /// Of several lines the last one counts, as git has it.
  private func isIgnored(_ path: String, _ rules: [IgnoreRule]) -> Bool {
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

/// A line of `.gitignore`, as far as it is understood here.
struct IgnoredFolder {
  let glob: PathGlob
  let isNegated: Bool

  /// Nil for an empty line and a comment, and for classes of characters, which are passed over.
  init?(_ line: Substring) {
    var text = line
    while text.last == " " || text.last == "\t" { text.removeLast() }
    isNegated = text.first == "!"
    if isNegated { text.removeFirst() }
    guard !text.isEmpty, text.first != "#", !text.contains(where: { "[]\\".contains($0) }) else { return nil }
    glob = PathGlob(String(text))
  }
}
