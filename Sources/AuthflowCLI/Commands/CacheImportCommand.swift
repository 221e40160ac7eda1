import ArgumentParser
import Diagnostics
import Documents
import Effects
import OrderedCollections

struct CacheImportCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Takes another MSAL's tokens and accounts over into the kept cache.",
    discussion: """
      Reads the cache file of MSAL for Python, .NET, Go, Java and Node, the unencrypted file of msal-extensions, and the \
      JSON of MSAL's keychain items on macOS and iOS. Of two tokens under one key the newer stays; --replace forgets first \
      what is there.

      Example: authflow cache import msal_token_cache.json
      """)

  @Argument(help: "The file, or - for standard input.", completion: .file()) var file: String
  @OptionGroup var options: CachePlaceOptions
  @Flag(help: "Forget what is there first.") var replace = false
  @Option(help: "text or json.") var format: OutputFormat = .text

  func perform(in session: Session) async throws(ExitStatus) {
    let source = try readSource(in: session)
    let place = try options.place(in: session)
    let replace = self.replace
    if replace { try place.moveAsideIfCorrupt(in: session) }
    let merge = try place.change(in: session) { members in
      CacheMerge(of: source, into: &members, replacing: replace)
    }
    for warning in merge.warnings { session.printStatus(warning) }
    switch format {
    case .json: session.printLine(merge.json.text(pretty: true), as: .json)
    case .text: session.printLine(merge.words(place: place.path))
    }
  }

  private func readSource(in session: Session) throws(ExitStatus) -> JSON.Members {
    let bytes = try session.read(file)
    let name = file == "-" ? "<stdin>" : file
    func refuse(_ message: String, help: String, at offset: Int = 0) {
      let source = SourceText(name: name, bytes: bytes, isBinary: !bytes.allSatisfy { $0 >= 9 })
      session.show([
        Diagnostic(.error, rule: "not-a-cache", message, help: help, at: FileSpan(source, .at(offset)))
      ])
    }
    let json: JSON
    do {
      json = try JSON(parsing: bytes.withoutByteOrderMark)
    } catch {
      refuse(
        "this is no token cache: \(error.message)",
        help: "a cache is JSON; a file that msal-extensions encrypted must be written without encryption first",
        at: error.offset)
      throw .usageError
    }
    guard let sections = ForeignCacheFormat.sections(of: json) else {
      refuse(
        "this is no token cache: no AccessToken, RefreshToken, IdToken or Account stands in it",
        help: "name the file that MSAL serializes its cache to")
      throw .usageError
    }
    return sections
  }
}
