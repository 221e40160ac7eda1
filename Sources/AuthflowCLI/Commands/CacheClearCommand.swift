import ArgumentParser
import Diagnostics
import Documents
import Effects
import OrderedCollections
import TokenCache

struct CacheClearCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Remove tokens and accounts from the token cache",
    discussion: """
      Removes everything unless you select an account, an app, or both. If you select both, the command removes only \
      the app's tokens for the account. Browser sessions stay signed in, and the service accepts removed tokens until \
      they expire.

      Examples:
        authflow cache clear
        authflow cache clear --account megan@contoso.com
      """)

  @Option(help: "Remove only the account with this username or home account ID") var account: String?
  @Option(help: "Remove only the tokens and metadata of the app with this client ID") var client: String?
  @OptionGroup var options: CacheLocationOptions
  @Option(help: "Select the output format") var format: OutputFormat = .text

  func perform(in session: Session) async throws(ExitStatus) {
    let location = try options.location(in: session)
    let (account, client) = (account, client)
    for (option, value) in [("account", account), ("client", client)]
    where value.map({ CacheKey.normalized($0).isEmpty }) ?? false {
      throw session.report(.usageError, "`--\(option)` is empty", help: "omit the option to remove everything")
    }
    // The accounts and apps of a corrupt cache are unknown. Quarantine the cache only if the command removes all
    // entries.
    if account == nil, client == nil { try location.quarantineIfCorrupt(in: session) }
    let removal = try location.change(in: session) { members in
      CacheRemoval(from: &members, account: account, client: client)
    }
    if removal.isUnknownAccount, let account {
      throw session.report(
        .usageError, "account `\(CaretFrame.visible(account))` is not in the cache",
        help: "run `authflow accounts --all` to list the accounts")
    }
    if let cached = removal.cachedClients, let client {
      let help =
        Suggestion.nearest(to: client, among: cached.sorted()).map { "did you mean `\(CaretFrame.visible($0))`?" }
        ?? "run `authflow cache show` to list the apps"
      throw session.report(.usageError, "app `\(CaretFrame.visible(client))` is not in the cache", help: help)
    }
    switch format {
    case .json: session.printJSON(removal.json)
    case .text: session.printLine(removal.summary(location: location.path))
    }
  }
}
