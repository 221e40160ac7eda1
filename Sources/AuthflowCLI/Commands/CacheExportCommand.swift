import ArgumentParser
import Effects
import TokenCache

struct CacheExportCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Export the token cache, including secrets, in MSAL's file format",
    discussion: """
      Only you can read the file. Anyone who has the file can sign in as its accounts, so delete it when you no longer \
      need it.

      Examples:
        authflow cache export --output msal_token_cache.json
        authflow cache export > msal_token_cache.json
      """)

  @OptionGroup var options: CacheLocationOptions
  @Option(
    name: .shortAndLong, help: ArgumentHelp("Write to this file (default: standard output)", valueName: "file"),
    completion: .file())
  var output: String?
  @Flag(help: "Print the secrets even if standard output is a terminal") var force = false

  func perform(in session: Session) async throws(ExitStatus) {
    let location = try options.location(in: session)
    let listing = try location.listing(in: session)
    guard !listing.isEmpty || !listing.contents.unknownSections.isEmpty else {
      throw session.report(.failed, "nothing to export: \(location.path) contains no cache entries")
    }
    let bytes = listing.contents.bytes
    guard let output else {
      guard force || !session.world.console.isTerminal(.output) else {
        throw session.report(
          .usageError, "refusing to print tokens to a terminal",
          help: "use `--output FILE`, or `--force` to print anyway")
      }
      return session.world.console.write(bytes + [UInt8(ascii: "\n")], to: .output, as: .json)
    }
    guard output != location.path else {
      throw session.report(.usageError, "`--output` is the token cache itself: \(output)")
    }
    // Do not change the mode of a pipe or device.
    try session.write(bytes, to: output, privately: session.world.files.kind(of: output) != .other)
    session.printStatus("exported \(listing.summary) to \(output); the file contains secrets")
  }
}
