import ArgumentParser
import Diagnostics
import Documents
import Effects
import OrderedCollections
import TokenCache

struct CacheClearCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Removes tokens and accounts from the kept cache: all, or one account's or one app's.",
    discussion: """
      With --account the account's tokens of every app and its records go; with --client that app's tokens and what is \
      known of it; with both that app's tokens for that account. Browser sessions stay, and tokens at the service stay \
      valid until they end.

      Example: authflow cache clear --account megan@contoso.com
      """)

  @Option(help: "An account: its username, or its identifier.") var account: String?
  @Option(help: "An app, by its client id.") var client: String?
  @OptionGroup var options: CachePlaceOptions
  @Option(help: "text or json.") var format: OutputFormat = .text

  func perform(in session: Session) async throws(ExitStatus) {
    let place = try options.place(in: session)
    let account = self.account
    let client = self.client
    for (option, value) in [("account", account), ("client", client)]
    where value.map({ CacheKey.normal($0).isEmpty }) ?? false {
      session.printStatus("error: --\(option) says nothing\n  help: leave it out to clear everything")
      throw .usageError
    }
    // Whose what stands in it is, nobody can tell: only a clearing of everything may move it away.
    if account == nil, client == nil { try place.moveAsideIfCorrupt(in: session) }
    let removal = try place.change(in: session) { members in
      CacheRemoval(from: &members, account: account, client: client)
    }
    if removal.isUnknownAccount, let account {
      session.printStatus(
        "error: no account \"\(CaretFrame.visible(account))\" is in the cache\n  help: `authflow accounts --all` lists them"
      )
      throw .usageError
    }
    if let known = removal.knownClients, let client {
      let help =
        Suggestion.nearest(to: client, among: known.sorted()).map { "did you mean \(CaretFrame.visible($0))?" }
        ?? "`authflow cache show` lists what is"
      session.printStatus("error: no app \"\(CaretFrame.visible(client))\" is in the cache\n  help: \(help)")
      throw .usageError
    }
    printLine(removal, place, in: session)
  }

  private func printLine(_ removal: CacheRemoval, _ place: CachePlace, in session: Session) {
    switch format {
    case .json: session.printLine(removal.json.text(pretty: true), as: .json)
    case .text: session.printLine(removal.words(place: place.path))
    }
  }
}
