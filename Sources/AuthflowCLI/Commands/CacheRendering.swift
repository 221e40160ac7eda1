import Diagnostics
import Documents
import Effects
import OrderedCollections
import Reports
import TokenCache

/// Accounts and records as text for a terminal.
struct CacheRendering {
  let style: TerminalStyle

  // MARK: Accounts

  /// - Parameter isKept: whether there are commands that could tell more of this cache.
  func accounts(_ listing: CacheListing, _ accounts: [CacheListing.Account], isKept: Bool = true) -> String {
    var text = "\(style.paint(CaretFrame.visible(listing.place), .dim))\n"
    guard !accounts.isEmpty else {
      let words =
        !isKept
        ? "no account is signed in"
        : listing.exists
          ? "no account is signed in; `authflow accounts --all` also lists those that are signed out"
          : "no cache is kept here yet: `authflow run Workflows/me.yaml` signs somebody in"
      return style.shown(text + style.wrap(words, indent: 2))
    }
    for account in accounts { text += self.account(account, now: listing.now) }
    return style.shown(text)
  }

  private func account(_ account: CacheListing.Account, now: Instant) -> String {
    let name = account.home?.name.map { "  \(CaretFrame.visible($0))" } ?? ""
    let username = account.home?.username ?? ""
    var text = "\n\(style.paint(CaretFrame.visible(username.isEmpty ? "(no username)" : username), .strong))\(name)\n"
    text += style.wrap("identifier \(account.homeAccountID)", indent: 2)
    for record in account.records {
      let kind = account.isHome(record) ? "home tenant" : "guest in tenant"
      text += style.wrap("\(kind) \(record.realm) at \(record.environment)", indent: 2, hanging: 2)
    }
    for client in account.clients {
      text += style.wrap("app \(client.id): \(Self.words(client))", indent: 2, hanging: 2)
      for token in client.accessTokens {
        text += style.wrap(
          "access token for \(token.scopes.joined(separator: " ")), \(Self.until(token.expiresOn, now))", indent: 4,
          hanging: 2)
      }
      if client.hasRefreshToken { text += style.wrap("refresh token", indent: 4) }
      for family in client.families { text += style.wrap("refresh token of family \(family)", indent: 4) }
    }
    return text
  }

  private static func words(_ client: CacheListing.Client) -> String {
    switch client.state {
    case .signedIn: "signed in"
    case .signedOut: "signed out"
    case .unknown: client.isVisible ? "not known to be signed out" : "not signed in"
    }
  }

  // MARK: Records

  func records(_ listing: CacheListing) -> String {
    var text = "\(style.paint(CaretFrame.visible(listing.place), .strong))\n"
    guard listing.exists else {
      return style.shown(text + style.wrap("no cache is kept here yet", indent: 2))
    }
    let unknown = listing.contents.unknownParts
    let rest = unknown.isEmpty ? "" : style.wrap(UnknownSections.leftWords(unknown), indent: 2, hanging: 2)
    guard !listing.isEmpty else { return style.shown(text + style.wrap("the cache is empty", indent: 2) + rest) }
    text += style.wrap(listing.summary, indent: 2) + rest
    for section in CacheSectionName.allCases {
      let entries = listing.entries(section)
      guard !entries.isEmpty else { continue }
      text += "\n\(style.paint("\(section.rawValue) (\(entries.count))", .strong))\n"
      for (key, entry) in entries {
        text += style.wrap(key.isEmpty ? "(no key)" : key, indent: 2, hanging: 2, tone: .dim)
        for line in Self.lines(entry, in: section, now: listing.now) {
          text += style.wrap(line, indent: 4, hanging: 2)
        }
      }
    }
    return style.shown(text)
  }

  private static let times: [String: String] = [
    "cached_at": "cached", "expires_on": "expires", "extended_expires_on": "usable during an outage until",
    "refresh_on": "renewed early from", "last_modification_time": "changed",
  ]

  /// The fields of an entry, one line each; times in words as well.
  private static func lines(_ entry: JSON, in section: CacheSectionName, now: Instant) -> [String] {
    let masked = CacheListing.masked(entry, in: section)
    guard let members = masked.object else { return [masked.text()] }
    return members.map { name, value in
      if let words = times[name], let moment = Self.moment(value) {
        let isExpired = name == "expires_on" && moment <= now
        return "\(isExpired ? "expired" : words): \(Self.at(moment, now))"
      }
      return "\(name): \(value.string ?? value.text())"
    }
  }

  private static func moment(_ value: JSON) -> Instant? {
    guard let seconds = value.string.flatMap({ Double($0) }) ?? value.number, abs(seconds) < 9e9 else { return nil }
    return Instant(secondsSince1970: Int64(seconds))
  }

  /// `until 2025-01-01T01:00:00Z, in 58 minutes`
  static func until(_ moment: Instant?, _ now: Instant) -> String {
    guard let moment else { return "which does not say until when" }
    return moment <= now ? "expired \(at(moment, now))" : "until \(at(moment, now))"
  }

  private static func at(_ moment: Instant, _ now: Instant) -> String {
    "\(moment.rfc3339()), \(TimeFormatting.distance(from: now, to: moment))"
  }
}

/// Times as people say them.
enum TimeFormatting {
  /// `in 58 minutes`, `3 days ago`, `now`.
  static func distance(from now: Instant, to moment: Instant) -> String {
    let seconds = moment.secondsSince1970 - now.secondsSince1970
    let size = abs(seconds)
    let (count, unit): (Int64, String) =
      switch size {
      case 0..<60: (size, "second")
      case 60..<3600: (size / 60, "minute")
      case 3600..<172_800: (size / 3600, "hour")
      default: (size / 86_400, "day")
      }
    guard seconds != 0 else { return "now" }
    let words = "\(count) \(unit)\(count == 1 ? "" : "s")"
    return seconds > 0 ? "in \(words)" : "\(words) ago"
  }
}
