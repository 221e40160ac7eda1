import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

/// What an Info.plist's `LSApplicationQueriesSchemes` say about the broker.
struct BrokerQueries {
  /// Those of `msauthv2` and `msauthv3` that are not there, nor meant by another entry.
  private(set) var missing: [String] = []
  /// Entries that are no scheme of the broker's but look like one that is missing.
  private(set) var misspelled: [(entry: InfoPlist.Entry, meant: String)] = []
  /// Entries that stand there before, with the first one.
  private(set) var repeated: [(entry: InfoPlist.Entry, first: InfoPlist.Entry)] = []

  /// Those of them that are the broker's.
  var repeatedBrokers: [(entry: InfoPlist.Entry, first: InfoPlist.Entry)] {
    repeated.filter { $0.entry.text.hasPrefix("msauth") }
  }

  init(_ entries: [InfoPlist.Entry]) {
    missing = RedirectURI.brokerQuerySchemes.filter { scheme in !entries.contains { $0.text == scheme } }
    var first: [String: InfoPlist.Entry] = [:]
    for entry in entries {
      if let meant = meant(by: entry.text) {
        misspelled.append((entry, meant))
        missing.removeAll { $0 == meant }
      } else if let before = first[entry.text] {
        repeated.append((entry, before))
      } else {
        first[entry.text] = entry
      }
    }
  }

  /// The schemes of the broker that an entry was typed for and that are not there otherwise.
  private func meant(by text: String) -> String? {
    guard !missing.isEmpty, text != "msauth", !RedirectURI.brokerQuerySchemes.contains(text) else { return nil }
    let lower = text.lowercased()
    if lower.hasPrefix("msauth."), lower.count > "msauth.".count { return nil }
    let folded = lower.filter { $0.isLetter || $0.isNumber }
    if folded == "msauth" { return nil }
    if let begun = missing.first(where: folded.hasPrefix) { return begun }
    return Suggestion.nearest(to: folded, among: missing).flatMap { folded.hasPrefix("ms") ? $0 : nil }
  }
}
