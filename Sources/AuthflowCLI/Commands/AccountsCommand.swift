import AppRegistration
import ArgumentParser
import Documents
import Effects
import TokenCache

struct AccountsCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "accounts", abstract: "Lists the accounts in the kept token cache, and which app has what for each.",
    discussion: """
      Without --cache and --platform every place in which plain runs have kept a cache is listed. --settings shows what one \
      app sees: its accounts only.

      Example: authflow accounts --settings Workflows/AuthSettings.plist
      """)

  @Flag(help: "Also accounts that are signed out.") var all = false
  @Option(help: ArgumentHelp("An app's settings: only its accounts.", valueName: "file"), completion: .file())
  var settings: String?
  @OptionGroup var options: CachePlaceOptions
  @Option(help: "text or json.") var format: OutputFormat = .text

  func perform(in session: Session) async throws(ExitStatus) {
    let client = try clientID(in: session)
    var told: [(listing: CacheListing, accounts: [CacheListing.Account])] = []
    for place in try options.places(in: session) {
      let listing = try place.listing(in: session)
      told.append((listing, listing.accounts(onlyClient: client, all: all)))
    }
    switch format {
    case .json:
      let places = told.map { listing, accounts -> JSON in
        [
          "place": .string(listing.place), "now": .string(listing.now.rfc3339()),
          "accounts": .array(accounts.map { $0.json(now: listing.now) }),
        ]
      }
      session.printLine(JSON.array(places).text(pretty: true), as: .json)
    case .text:
      let text = CacheRendering(style: session.style(for: .output))
      session.printLine(told.map { text.accounts($0.listing, $0.accounts) }.joined(separator: "\n"))
    }
  }

  private func clientID(in session: Session) throws(ExitStatus) -> String? {
    guard let settings else { return nil }
    let bytes = try session.read(settings)
    let loaded = SettingsLoader(
      definitions: try Definitions(arguments: [], in: session), load: session.load(inputs: [settings])
    )
    .load(bytes, named: settings)
    guard let resolved = loaded.resolved else {
      session.show(loaded.allDiagnostics)
      throw .usageError
    }
    return resolved.clientID
  }
}
