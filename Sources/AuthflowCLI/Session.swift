import Diagnostics
import Documents
import Effects
import Reports
import Trust

/// What every command shares: the world, how its output may look, and how input is read and complaints are shown.
struct Session: Sendable {
  var world: World
  /// How a server comes to listen.
  let openServer: ServerFactory
  /// Whether the user's configuration lets workflows choose the live service.
  var allowsLive = false
  /// Marks control sequences of this program, which the console's guard lets through.
  var seal = ""

  /// The largest document that is read (the limit of the Documents room).
  static let documentLimit = 64 << 20

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

  /// Writes a result to standard output, on lines of its own.
  func printLine(_ text: String, as content: ConsoleContent = .text) {
    world.console.write(text.hasSuffix("\n") ? text : text + "\n", to: .output, as: content)
  }

  func printStatus(_ text: String, as content: ConsoleContent = .text) {
    world.console.write(text.hasSuffix("\n") ? text : text + "\n", to: .error, as: content)
  }

  /// Shows diagnostics in reading order, on standard error where they are not the result.
  func show(_ diagnostics: [Diagnostic], on stream: ConsoleStream = .error) {
    guard !diagnostics.isEmpty else { return }
    let style = style(for: stream)
    world.console.write(
      CaretFrame(color: style.color, width: style.width, seal: seal).render(diagnostics.inReadingOrder()), to: stream)
  }

  /// The bytes of a file, or of standard input for `-`; a file that cannot be read is a diagnostic.
  func bytes(of path: String) -> Result<[UInt8], UnreadableFile> {
    do {
      return .success(try world.files.read(path == "-" ? InputStreams.standardInput : path, limit: Self.documentLimit))
    } catch {
      return .failure(UnreadableFile(path: path, failure: error))
    }
  }

  /// Reads a document and shows what is wrong with it.
  /// - Throws: `.unusable` where nothing usable was read.
  func document(at path: String, options: ReadingOptions = ReadingOptions()) throws(ExitStatus) -> Document {
    let reading = self.reading(of: path, options: options)
    show(reading.diagnostics)
    guard let document = reading.document, !reading.diagnostics.hasErrors else { throw .usageError }
    return document
  }

  /// Reads a file that a command cannot do without.
  /// - Throws: `.unusable` where it cannot be read, which is told.
  func read(_ path: String) throws(ExitStatus) -> [UInt8] {
    switch bytes(of: path) {
    case .success(let bytes): return bytes
    case .failure(let unreadable):
      show([unreadable.diagnostic])
      throw .usageError
    }
  }

  /// Reads a file of the project that the user named. A link that leads out of the project is refused.
  /// - Throws: `.unusable` if it cannot be read, which is shown.
  func readInput(_ path: String) throws(ExitStatus) -> [UInt8] {
    if let unreadable = unreadable(path, in: ProjectRoots(of: [path], in: world), inputs: [path]) {
      show([unreadable])
      throw .usageError
    }
    return try read(path)
  }

  /// Reads a document, with whatever is wrong as diagnostics.
  /// - Parameter isReference: whether another file names this one.
  func reading(
    of path: String, options: ReadingOptions = ReadingOptions(), isReference: Bool = false
  ) -> ReadResult {
    switch bytes(of: path) {
    case .success(let bytes):
      return DocumentReader.read(bytes, named: path == "-" ? "<stdin>" : path, options: options)
    case .failure(var unreadable):
      unreadable.isReference = isReference
      return ReadResult(document: nil, diagnostics: [unreadable.diagnostic])
    }
  }

  /// Refuses to write over a file that is something else: a slip of the fingers must not cost anybody a file.
  /// - Parameters:
  ///   - option: the option that names the file.
  ///   - kind: what is to be written, in words.
  ///   - isSuch: whether the first 64 KiB of a file are those of one.
  func protect(
    _ path: String, from option: String, kind: String, isSuch: (_ start: String) -> Bool
  ) throws(ExitStatus) {
    guard world.files.kind(of: path) == .file,
      let start = try? world.files.beginning(of: path, count: 1 << 16), !start.isEmpty,
      !isSuch(String(decoding: start, as: UTF8.self))
    else { return }
    printStatus(
      "error: \(CaretFrame.visible(path)) is there and is no \(kind)\n  help: name another file for \(option), or remove this one"
    )
    throw .usageError
  }

  /// Writes a file as a whole, or says why not.
  func write(_ text: String, to path: String) throws(ExitStatus) { try write(Array(text.utf8), to: path) }

  func write(_ bytes: [UInt8], to path: String) throws(ExitStatus) {
    do {
      try world.files.replace(path, with: bytes, privately: false)
    } catch {
      printStatus("error: \(error.explanation)")
      throw .environmentFailure
    }
  }
}

/// A file that could not be read, and what to say of it.
struct UnreadableFile: Error {
  let path: String
  let failure: FileFailure
  /// Whether another file names this one.
  var isReference = false

  var diagnostic: Diagnostic {
    let help: String? =
      switch failure {
      case .isDirectory: "name a file in it"
      case .tooLarge: "documents of up to 64 MiB are read"
      case .notFound where isReference:
        "check the path; a relative path in a file starts at the folder of that file"
      case .notFound: "check the path; relative paths start at the working directory"
      case .notRegular: "name a regular file; on the command line, `-` and `<(command)` read a stream"
      case .notPermitted: "check who may read it"
      default: nil
      }
    let reason =
      switch failure {
      case .notFound: "no such file"
      case .isDirectory: "is a directory, a file is needed"
      case .notRegular(_, let kind): "is not a regular file (\(kind))"
      case .notPermitted: "permission denied"
      case .tooLarge(_, let limit): "larger than \(limit) bytes"
      case .noSpace: "no space left on the device"
      case .other(_, let reason): reason
      }
    return Diagnostic(.error, rule: "unreadable-file", reason, help: help, at: .file(path))
  }
}
