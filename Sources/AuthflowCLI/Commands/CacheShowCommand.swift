import ArgumentParser
import Documents
import Effects
import TokenCache

struct CacheShowCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show token cache records with secrets masked",
    discussion: """
      Shows all default caches unless you select one with `--cache` or `--platform`.

      Examples:
        authflow cache show
        authflow cache show --cache msal_token_cache.json
      """)

  @OptionGroup var options: CacheLocationOptions
  @Option(help: "Select the output format") var format: OutputFormat = .text

  func perform(in session: Session) async throws(ExitStatus) {
    var listings: [CacheListing] = []
    for location in try options.locations(in: session) { listings.append(try location.listing(in: session)) }
    switch format {
    case .json: session.printJSON(JSON.array(listings.map(\.maskedJSON)))
    case .text:
      let text = CacheRendering(style: session.style(for: .output))
      session.printLine(listings.map { text.records($0) }.joined(separator: "\n"))
    }
  }
}
