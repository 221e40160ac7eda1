import Diagnostics
import Documents
import Effects
import OrderedCollections
import Reports
import TokenCache

/// Renders the accounts and records of a token cache as text for a terminal.
struct CacheRendering {
  let style: TerminalStyle

  // MARK: Accounts

  /// - Parameter isSaved: Whether other commands can access this cache. If so, messages can mention these commands.
  func accounts(_ listing: CacheListing, _ accounts: [CacheListing.Account], isSaved: Bool = true) -> String {
    var text = "\(style.paint(CaretFrame.visible(listing.location), .dim))\n"
    guard !accounts.isEmpty else {
      let message =
        !isSaved
        ? "no account is signed in"
        : listing.exists
          ? "no account is signed in; run `authflow accounts --all` to include signed-out accounts"
          : "no token cache; run `authflow run Workflows/me.yaml` to sign in"
      return style.shown(text + style.wrap(message, indent: 2))
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
      text += style.wrap("app \(client.id): \(Self.state(client))", indent: 2, hanging: 2)
      for token in client.accessTokens {
        text += style.wrap(
          "access token for \(token.scopes.joined(separator: " ")), \(Self.expiration(token.expiresOn, now))",
          indent: 4,
          hanging: 2)
      }
      if client.hasRefreshToken { text += style.wrap("refresh token", indent: 4) }
      for family in client.families { text += style.wrap("refresh token for family \(family)", indent: 4) }
    }
    return text
  }

  private static func state(_ client: CacheListing.Client) -> String {
    switch client.state {
    case .signedIn: "signed in"
    case .signedOut: "signed out"
    case .unknown: client.isVisible ? "sign-in state unknown" : "not signed in"
    }
  }

  // MARK: Records

  func records(_ listing: CacheListing) -> String {
    var text = "\(style.paint(CaretFrame.visible(listing.location), .strong))\n"
    guard listing.exists else {
      return style.shown(text + style.wrap("no token cache", indent: 2))
    }
    let unknown = listing.contents.unknownSections
    let unknownText = unknown.isEmpty ? "" : style.wrap(UnknownSections.description(unknown), indent: 2, hanging: 2)
    guard !listing.isEmpty else { return style.shown(text + style.wrap("the cache is empty", indent: 2) + unknownText) }
    text += style.wrap(listing.summary, indent: 2) + unknownText
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

  private static let timeLabels: [String: String] = [
    "cached_at": "cached", "expires_on": "expires", "extended_expires_on": "usable during an outage until",
    "refresh_on": "refresh recommended after", "last_modification_time": "changed",
  ]

  /// Returns one line for each field of an entry. Times are also shown relative to the current time.
  private static func lines(_ entry: JSON, in section: CacheSectionName, now: Instant) -> [String] {
    let masked = CacheListing.masked(entry, in: section)
    guard let members = masked.object else { return [masked.text()] }
    return members.map { name, value in
      if let label = timeLabels[name], let time = Self.time(value) {
        let isExpired = name == "expires_on" && time <= now
        return "\(isExpired ? "expired" : label): \(Self.text(of: time, now))"
      }
      return "\(name): \(value.string ?? value.text())"
    }
  }

  private static func time(_ value: JSON) -> Instant? {
    guard let seconds = value.decimal, abs(seconds) < 9e9 else { return nil }
    return Instant(secondsSince1970: Int64(seconds))
  }

  /// Returns the expiration time as text, for example `until 2025-01-01T01:00:00Z, in 58 minutes`.
  private static func expiration(_ time: Instant?, _ now: Instant) -> String {
    guard let time else { return "no expiration time" }
    return "\(time <= now ? "expired" : "until") \(text(of: time, now))"
  }

  private static func text(of time: Instant, _ now: Instant) -> String {
    "\(time.rfc3339()), \(TimeFormatting.distance(from: now, to: time))"
  }
}

/// Formats times relative to the current time.
enum TimeFormatting {
  /// Returns the time between two instants as text, for example `in 58 minutes`, `3 days ago`, or `now`.
  static func distance(from now: Instant, to time: Instant) -> String {
    let seconds = time.secondsSince1970 - now.secondsSince1970
    let size = abs(seconds)
    let (count, unit): (Int64, String) =
      switch size {
      case 0..<60: (size, "second")
      case 60..<3600: (size / 60, "minute")
      case 3600..<172_800: (size / 3600, "hour")
      default: (size / 86_400, "day")
      }
    guard seconds != 0 else { return "now" }
    return seconds > 0 ? "in \(count.counting(unit))" : "\(count.counting(unit)) ago"
  }
}
