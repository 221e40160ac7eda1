import Diagnostics
import Documents
import Effects
import Reports
import Trust

/// The environment of a command, with functions to read input and to print results and errors.
struct Session: Sendable {
  var world: World
  let openServer: ServerFactory
  /// Whether the user's configuration allows workflows to select the live service.
  var allowsLive = false
  /// The operating system functions that `--watch` uses.
  var watchSystem = WatchSystem.none
  /// The files that the current watch observes, or nil without `--watch`.
  var watched: WatchedFiles?
  /// A marker for authflow's own control sequences. The guarded console does not escape marked sequences.
  var seal = ""

  func style(for stream: ConsoleStream) -> TerminalStyle {
    let environment = world.environment
    let isTerminal = world.console.isTerminal(stream)
    let locale = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"] ?? ""
    let isUTF8 = locale.lowercased().contains("utf")
    return TerminalStyle(
      color: isTerminal && environment.variables["NO_COLOR"].map(\.isEmpty) ?? true && environment["TERM"] != "dumb",
      unicode: isUTF8 || !isTerminal,
      width: isTerminal ? world.console.width ?? 80 : 120, seal: seal)
  }

  /// Writes a result to standard output, followed by a line break.
  func printLine(_ text: String, as content: ConsoleContent = .text) {
    world.console.write(text.hasSuffix("\n") ? text : text + "\n", to: .output, as: content)
  }

  /// Writes a result as indented JSON to standard output.
  func printJSON(_ json: JSON) { printLine(json.text(pretty: true), as: .json) }

  /// Writes a message to standard error, followed by a line break.
  func printStatus(_ text: String, as content: ConsoleContent = .text) {
    world.console.write(text.hasSuffix("\n") ? text : text + "\n", to: .error, as: content)
  }

  /// Writes an error without a location to standard error.
  func reportError(_ message: String, help: String? = nil) {
    printStatus("error: \(message)" + (help.map { "\n  help: \($0)" } ?? ""))
  }

  /// Writes an error without a location to standard error.
  /// - Returns: The exit status, so that a command can throw it.
  func report(_ status: ExitStatus, _ message: String, help: String? = nil) -> ExitStatus {
    reportError(message, help: help)
    return status
  }

  /// Shows diagnostics, sorted by file and location. By default, diagnostics go to standard error.
  func show(_ diagnostics: [Diagnostic], on stream: ConsoleStream = .error) {
    guard !diagnostics.isEmpty else { return }
    let style = style(for: stream)
    world.console.write(
      CaretFrame(color: style.color, width: style.width, seal: seal).render(diagnostics.inReadingOrder()), to: stream)
  }

  /// Returns the absolute path of a file, with `.` and `..` resolved.
  func absolutePath(_ path: String) -> String { FilePath.join(world.environment.workingDirectory, path) }

  /// Returns the path relative to the working directory, or nil if the absolute path is outside the working directory.
  func relativePath(_ absolutePath: String) -> String? {
    let prefix = world.environment.workingDirectory + "/"
    return absolutePath.hasPrefix(prefix) ? String(absolutePath.dropFirst(prefix.count)) : nil
  }

  /// Reads a file, or standard input for `-`.
  func bytes(of path: String) -> Result<[UInt8], UnreadableFile> {
    world.bytes(of: path == "-" ? InputStreams.standardInput : path, named: path)
  }

  /// Reads a document and shows its diagnostics.
  /// - Throws: `.usageError` if the document has errors.
  func document(at path: String, options: ReadingOptions = ReadingOptions()) throws(ExitStatus) -> Document {
    try document(of: readDocument(at: path, options: options))
  }

  /// Shows the diagnostics of a document.
  /// - Throws: `.usageError` if the document has errors.
  func document(of result: ReadResult) throws(ExitStatus) -> Document {
    show(result.diagnostics)
    guard let document = result.document, !result.diagnostics.hasErrors else { throw .usageError }
    return document
  }

  /// Reads a required file.
  /// - Throws: `.usageError` if the file cannot be read. The reason has been reported.
  func read(_ path: String) throws(ExitStatus) -> [UInt8] {
    switch bytes(of: path) {
    case .success(let bytes): return bytes
    case .failure(let file):
      show([file.diagnostic])
      throw .usageError
    }
  }

  /// Reads a file that the user specified on the command line. Rejects links from the project to files outside it.
  /// - Throws: `.usageError` if the file cannot be read. The reason has been reported.
  func readInput(_ path: String) throws(ExitStatus) -> [UInt8] {
    if let error = ProjectReader(inputs: [path], in: world).outsideProjectError(path) {
      show([error])
      throw .usageError
    }
    return try read(path)
  }

  /// Reads a document. If the file cannot be read, the result contains the error.
  func readDocument(at path: String, options: ReadingOptions = ReadingOptions()) -> ReadResult {
    ProjectReader(inputs: [path], in: world, standardInput: InputStreams.standardInput).document(
      at: path, options: options)
  }

  /// Rejects an output path if the existing file is of a different kind, so that a mistyped path does not destroy a
  /// file.
  /// - Parameters:
  ///   - option: The option that specifies the file.
  ///   - kind: The kind of the file to write: a noun with its article.
  ///   - isSameKind: A closure that returns whether a file is of this kind, given its first 64 KiB.
  /// - Throws: `.usageError` if the existing file is of a different kind.
  func protect(
    _ path: String, from option: String, kind: String, isSameKind: (_ start: String) -> Bool
  ) throws(ExitStatus) {
    guard world.files.kind(of: path) == .file,
      let start = try? world.files.prefix(of: path, count: 1 << 16), !start.isEmpty,
      !isSameKind(String(decoding: start, as: UTF8.self))
    else { return }
    throw report(
      .usageError, "\(CaretFrame.visible(path)) exists and is not \(kind)",
      help: "choose another file for `\(option)`, or remove this file")
  }

  /// Writes text to a file, replacing its content.
  /// - Throws: `.environmentFailure` if the file cannot be written. The reason has been reported.
  func write(_ text: String, to path: String) throws(ExitStatus) { try write(Array(text.utf8), to: path) }

  /// Writes bytes to a file, replacing its content.
  /// - Parameter privately: Whether only the user can read the file.
  /// - Throws: `.environmentFailure` if the file cannot be written. The reason has been reported.
  func write(_ bytes: [UInt8], to path: String, privately: Bool = false) throws(ExitStatus) {
    do {
      try world.files.replace(path, with: bytes, privately: privately)
    } catch {
      throw report(.environmentFailure, error.explanation)
    }
  }
}
