import AppRegistration
import ArgumentParser
import Documents
import Effects
import TokenCache

struct AccountsCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "accounts", abstract: "List cached accounts and each app's tokens for them",
    discussion: """
      Lists the accounts in all default caches unless you select one with `--cache` or `--platform`.

      Examples:
        authflow accounts
        authflow accounts --settings Workflows/AuthSettings.plist
      """)

  @Flag(help: "Include accounts that are signed out") var all = false
  @Option(
    help: ArgumentHelp("List only the accounts of the app in this settings file", valueName: "file"),
    completion: .file())
  var settings: String?
  @OptionGroup var options: CacheLocationOptions
  @Option(help: "Select the output format") var format: OutputFormat = .text

  func perform(in session: Session) async throws(ExitStatus) {
    let client = try clientID(in: session)
    var listings: [(listing: CacheListing, accounts: [CacheListing.Account])] = []
    for location in try options.locations(in: session) {
      let listing = try location.listing(in: session)
      listings.append((listing, listing.accounts(of: client, includesSignedOut: all)))
    }
    switch format {
    case .json:
      let caches = listings.map { listing, accounts -> JSON in
        [
          "place": .string(listing.location), "now": .string(listing.now.rfc3339()),
          "accounts": .array(accounts.map { $0.json(now: listing.now) }),
        ]
      }
      session.printJSON(JSON.array(caches))
    case .text:
      let text = CacheRendering(style: session.style(for: .output))
      session.printLine(listings.map { text.accounts($0.listing, $0.accounts) }.joined(separator: "\n"))
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
