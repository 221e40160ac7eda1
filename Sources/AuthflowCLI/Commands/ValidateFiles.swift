import AppRegistration
import Diagnostics
import Documents
import Effects
import Validation

/// The files that are meant by a list of paths.
struct ProjectFiles {
  struct Found {
    var files: [NamedFile] = []
    /// What was named and could not be read.
    var unreadable: [Diagnostic] = []
    /// The names of the files that were named themselves, not found in a folder.
    var named: Set<String> = []
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
        var search = Search(root: path, configuration: configuration)
        self.search(path, depth: 0, &search, &found, &seen)
        if found.files.count >= Self.mostFiles {
          session.remark("error: there are more than \(Self.mostFiles) files to check: name the folders that matter")
          throw .unusable
        }
        continue
      }
      guard seen.insert(absolute(path)).inserted else { continue }
      switch session.bytes(of: path) {
      case .success(let bytes):
        let name = path == "-" ? "<stdin>" : path
        found.files.append(NamedFile(name: name, bytes: bytes))
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
    var ignored: [(folder: String, rule: IgnoredFolder)] = []
  }

  private func search(
    _ folder: String, depth: Int, _ search: inout Search, _ found: inout Found, _ seen: inout Set<String>
  ) {
    guard depth < Self.deepest, let names = try? session.world.files.list(folder) else { return }
    let outer = search.ignored.count
    if names.contains(".gitignore") { readIgnored(in: folder, &search) }
    for name in names where !name.hasPrefix(".") && found.files.count < Self.mostFiles {
      let path = Self.path(folder, name)
      // Most names need no look at the disk.
      let mayBeFile = Self.isCandidate(name)
      switch session.world.files.kind(of: path) {
      case .directory:
        guard !Self.passedOver.contains(name), !session.world.files.isLink(path), !isIgnored(path, search),
          search.configuration?.excludes(absolute(path)) != true
        else { continue }
        self.search(path, depth: depth + 1, &search, &found, &seen)
      case .file where mayBeFile:
        guard search.configuration?.excludes(absolute(path)) != true, seen.insert(absolute(path)).inserted,
          case .success(let bytes) = session.bytes(of: path), Self.isWorthReading(name, bytes)
        else { continue }
        found.files.append(NamedFile(name: path, bytes: bytes, root: search.root))
        found.configurations[path] = search.configuration
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

  private func readIgnored(in folder: String, _ search: inout Search) {
    guard case .success(let bytes) = session.bytes(of: Self.path(folder, ".gitignore")) else { return }
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      if let rule = IgnoredFolder(line) { search.ignored.append((absolute(folder), rule)) }
    }
  }

  /// Of several lines the last one counts, as git has it.
  private func isIgnored(_ path: String, _ search: Search) -> Bool {
    guard !search.ignored.isEmpty else { return false }
    let path = absolute(path)
    var isIgnored = false
    for (folder, rule) in search.ignored {
      let base = folder == "/" ? "/" : folder + "/"
      guard path.hasPrefix(base), rule.glob.matches(String(path.dropFirst(base.count))) else { continue }
      isIgnored = !rule.isNegated
    }
    return isIgnored
  }
}

/// A line of `.gitignore`, as far as it may name folders.
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
