import ArgumentParser
import Documents
import Effects
import TokenCache

struct CacheShowCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Shows the records of the kept token cache, the secrets masked.",
    discussion: """
      Without --cache and --platform every place in which plain runs have kept a cache is shown.

      Example: authflow cache show --cache ~/.cache/msal_token_cache.json
      """)

  @OptionGroup var options: CachePlaceOptions
  @Option(help: "text or json.") var format: OutputFormat = .text

  func perform(in session: Session) async throws(ExitStatus) {
    var listings: [CacheListing] = []
    for place in try options.places(in: session) { listings.append(try place.listing(in: session)) }
    switch format {
    case .json: session.printLine(JSON.array(listings.map(\.maskedJSON)).text(pretty: true), as: .json)
    case .text:
      let text = CacheRendering(style: session.style(for: .output))
      session.printLine(listings.map { text.records($0) }.joined(separator: "\n"))
    }
  }
}
