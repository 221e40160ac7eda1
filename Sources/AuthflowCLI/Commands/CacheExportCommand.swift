import ArgumentParser
import Effects
import TokenCache

struct CacheExportCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Writes the kept token cache, with its secrets, as a file that other MSALs read.",
    discussion: """
      The file is readable by its owner only. Whoever has it can act as the accounts in it: delete it when it has served.

      Example: authflow cache export --output msal_token_cache.json
      """)

  @OptionGroup var options: CachePlaceOptions
  @Option(name: .shortAndLong, help: "Where to write; standard output otherwise.", completion: .file()) var output:
    String?
  @Flag(help: "Also write to a terminal.") var force = false

  func perform(in session: Session) async throws(ExitStatus) {
    let place = try options.place(in: session)
    let listing = try place.listing(in: session)
    guard !listing.isEmpty || !listing.contents.unknownParts.isEmpty else {
      session.printStatus("error: there is nothing to export: no cache is kept at \(place.path)")
      throw .failed
    }
    let bytes = listing.contents.bytes
    guard let output else {
      guard force || !session.world.console.isTerminal(.output) else {
        session.printStatus(
          "error: the tokens would stand on the terminal for everybody to see\n  help: name a file with --output, or say --force"
        )
        throw .usageError
      }
      return session.world.console.write(bytes + [UInt8(ascii: "\n")], to: .output, as: .json)
    }
    guard output != place.path else {
      session.printStatus("error: \(output) is the cache itself")
      throw .usageError
    }
    do {
      // A pipe or a device that the user names has no mode of ours.
      let files = session.world.files
      try files.replace(output, with: bytes, privately: files.kind(of: output) != .other)
    } catch {
      session.printStatus("error: \(error.explanation)")
      throw .environmentFailure
    }
    session.printStatus("wrote \(listing.summary) to \(output); it holds secrets")
  }
}
