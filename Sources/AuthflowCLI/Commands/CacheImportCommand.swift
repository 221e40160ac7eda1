import ArgumentParser
import Diagnostics
import Documents
import Effects
import OrderedCollections

struct CacheImportCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import tokens and accounts from another MSAL library",
    discussion: """
      Reads cache files from MSAL for Python, .NET, Go, Java, and Node.js, unencrypted msal-extensions files, and the \
      JSON in MSAL's keychain items on macOS and iOS. If both caches contain a token with the same key, the command \
      keeps the newer token.

      Examples:
        authflow cache import msal_token_cache.json
        authflow cache import msal_token_cache.json --replace
      """)

  @Argument(help: "File to import, or `-` for standard input", completion: .file()) var file: String
  @OptionGroup var options: CacheLocationOptions
  @Flag(help: "Replace the cache instead of merging into it") var replace = false
  @Option(help: "Select the output format") var format: OutputFormat = .text

  func perform(in session: Session) async throws(ExitStatus) {
    let source = try readSource(in: session)
    let location = try options.location(in: session)
    let replace = replace
    if replace { try location.quarantineIfCorrupt(in: session) }
    let merge = try location.change(in: session) { members in
      CacheMerge(of: source, into: &members, replacing: replace)
    }
    for warning in merge.warnings { session.printStatus(warning) }
    switch format {
    case .json: session.printJSON(merge.json)
    case .text: session.printLine(merge.summary(location: location.path))
    }
  }

  private func readSource(in session: Session) throws(ExitStatus) -> JSON.Members {
    let bytes = try session.read(file)
    let name = file == "-" ? "<stdin>" : file
    func report(_ message: String, help: String, at offset: Int = 0) -> ExitStatus {
      let source = SourceText(name: name, bytes: bytes, isBinary: !bytes.allSatisfy { $0 >= 9 })
      session.show([
        Diagnostic(.error, rule: "not-a-cache", message, help: help, at: FileSpan(source, .at(offset)))
      ])
      return .usageError
    }
    let json: JSON
    do {
      json = try JSON(parsing: bytes.withoutByteOrderMark)
    } catch {
      throw report(
        "not a token cache: \(error.message)",
        help: "pass a JSON file; configure msal-extensions to save it without encryption", at: error.offset)
    }
    guard let sections = ForeignCacheFormat.sections(of: json) else {
      throw report(
        "not a token cache: no `AccessToken`, `RefreshToken`, `IdToken`, or `Account` section",
        help: "pass the file to which MSAL serializes the token cache")
    }
    return sections
  }
}
