import Diagnostics
import Documents
import Effects
import SimulatedWorld
import Validation

/// The project that an MCP server works on. The commands that it runs can read only the project's folder.
struct MCPProject: Sendable {
  /// The result of a command.
  struct CommandResult: Sendable {
    var status: ExitStatus
    /// Standard output.
    var output: String
    /// Standard error, without a trailing line break.
    var messages: String
    /// The files that the command wrote, which exist only in memory.
    var files: OverlayFileSystem

    /// Standard output as JSON, or nil if the command did not print JSON.
    var json: JSON? { try? JSON(parsing: output) }
  }

  let folder: MCPFolder
  /// Whether the user allowed runs against the live service.
  let allowsLive: Bool
  private let world: World

  /// - Parameters:
  ///   - path: The absolute path of the folder.
  ///   - world: The environment of the server, with the access that the user granted.
  init(at path: String, allowsLive: Bool, in world: World) {
    folder = MCPFolder(path: world.files.realPath(of: path) ?? path, files: world.files)
    self.allowsLive = allowsLive
    self.world = world
  }

  /// Runs a command with the files of the project. The command cannot write files, read environment variables, or start
  /// programs. It cannot use the network unless `isLive` is true.
  /// - Parameter text: The content of a file that replaces the file on disk.
  func run(
    _ arguments: [String], isLive: Bool = false, text: (path: String, content: String)? = nil
  ) async throws(FileFailure) -> CommandResult {
    let (world, files, console) = environment(isLive: isLive)
    if let text {
      try makeFolders(FilePath.folder(of: FilePath.join(folder.path, text.path)), files)
      try files.replace(FilePath.join(folder.path, text.path), with: Array(text.content.utf8), privately: false)
    }
    let status = await CommandLineTool.run(arguments, in: world)
    var messages = console.error
    while messages.last?.isNewline == true { messages.removeLast() }
    return CommandResult(status: status, output: console.output, messages: messages, files: files)
  }

  /// An environment with read access to the project.
  var readingWorld: World { environment(isLive: false).world }

  private func environment(isLive: Bool) -> (world: World, files: OverlayFileSystem, console: BufferedConsole) {
    let files = OverlayFileSystem(over: MCPFileAccess(world.files, in: folder), workingDirectory: folder.path)
    let console = BufferedConsole()
    var world = world
    world.files = files
    world.console = console
    world.programs = StubProgramLauncher()
    if !isLive { world.http = StubTransport.unreachable() }
    var grants = world.environment.grants
    grants.roots = []
    // Keep one processor free, so that the server can respond to other requests.
    world.environment = Environment(
      variables: [:], workingDirectory: folder.path, processors: max(1, world.environment.processors - 1),
      grants: grants)
    return (world, files, console)
  }

  /// Creates the missing parent folders of a file in memory.
  private func makeFolders(_ path: String, _ files: OverlayFileSystem) throws(FileFailure) {
    guard files.kind(of: path) != .directory, !path.isEmpty else { return }
    try files.makeDirectory(path, privately: false)
  }

  // MARK: Paths

  /// Checks a path from a client.
  /// - Parameter mustExist: Whether to require an existing file or folder at the path.
  /// - Returns: The path relative to the folder.
  /// - Throws: The reason the server does not read the path.
  func checkedPath(_ path: String, mustExist: Bool = true) throws(MCPToolFailure) -> String {
    let shown = CaretFrame.visible(String(path.prefix(200)))
    guard !path.isEmpty, !path.contains("\0") else {
      throw MCPToolFailure("`path` is empty or not a path", help: "pass a path relative to the server's folder")
    }
    switch folder.refusal(of: path) {
    case .outside:
      throw MCPToolFailure(
        "`\(shown)` is outside the server's folder `\(folder.path)`",
        help: "use a path in this folder; only the user can change it, with `authflow mcp --root FOLDER`")
    case .link:
      throw MCPToolFailure(
        "`\(shown)` is a link to a file outside the server's folder `\(folder.path)`",
        help: "use a path in this folder; only the user can change it, with `authflow mcp --root FOLDER`")
    case .credentials:
      throw MCPToolFailure(
        "`\(shown)` can contain credentials, so the server does not read it",
        help: "do not read `.env` files or version control folders")
    case nil: break
    }
    let absolute = FilePath.join(folder.path, path)
    let prefix = folder.path == "/" ? "/" : folder.path + "/"
    let real = absolute.hasPrefix(prefix) || absolute == folder.path ? absolute : world.files.realPath(of: absolute)
    guard let real else { throw missing(shown) }
    let relative = real == folder.path ? "." : String(real.dropFirst(prefix.count))
    if mustExist, world.files.kind(of: real) == nil { throw missing(relative) }
    // A command would interpret a leading `-` as an option or as standard input.
    return relative.hasPrefix("-") ? "./" + relative : relative
  }

  /// Checks a file path.
  func checkedFile(_ path: String) throws(MCPToolFailure) -> String {
    let relative = try checkedPath(path)
    guard world.files.kind(of: FilePath.join(folder.path, relative)) == .file else {
      throw MCPToolFailure("`\(CaretFrame.visible(relative))` is a folder", help: "pass the path of a file")
    }
    return relative
  }

  /// Returns the checked path if the text is the path of an existing file.
  func existingFile(_ text: String) throws(MCPToolFailure) -> String? {
    guard text.utf8.count <= 4096, !text.contains("\0"), !text.contains(where: \.isNewline),
      world.files.kind(of: FilePath.join(folder.path, text)) == .file
    else { return nil }
    return try checkedPath(text)
  }

  private func missing(_ path: String) -> MCPToolFailure {
    let files = self.files(limit: 2000)
    let name = FilePath.name(of: path)
    let suggestion =
      Suggestion.nearest(to: path, among: files) ?? files.first { FilePath.name(of: $0) == name }
      ?? Suggestion.nearest(to: name, among: files.map(FilePath.name)).flatMap { nearest in
        files.first { FilePath.name(of: $0) == nearest }
      }
    return MCPToolFailure(
      "\(CaretFrame.visible(path)): no such file or folder",
      help: suggestion.map { "did you mean `\($0)`?" }
        ?? "pass a path relative to the server's folder `\(folder.path)`; `validate` with the path `.` checks all files"
    )
  }

  /// Returns the relative paths of files that tools can check, in order. Hidden folders and links are skipped.
  func files(limit: Int) -> [String] {
    var found: [String] = []
    var folders = [""]
    var visits = 0
    while !folders.isEmpty, found.count < limit, visits < 500 {
      let current = folders.removeFirst()
      visits += 1
      let path = current.isEmpty ? folder.path : FilePath.join(folder.path, current)
      for name in (try? world.files.list(path)) ?? [] where !name.hasPrefix(".") && !Self.skipped.contains(name) {
        let relative = current.isEmpty ? name : "\(current)/\(name)"
        let absolute = FilePath.join(folder.path, relative)
        guard !world.files.isLink(absolute) else { continue }
        switch world.files.kind(of: absolute) {
        case .directory: folders.append(relative)
        case .file where ProjectSearch.isCandidate(name): found.append(relative)
        default: break
        }
      }
    }
    return Array(found.prefix(limit))
  }

  private static let skipped: Set<String> = ["node_modules", "Pods", "DerivedData", "build", "Carthage", "vendor"]
}
