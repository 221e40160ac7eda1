import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

/// The broker schemes that an Info.plist lists in `LSApplicationQueriesSchemes`.
struct BrokerQueries {
  /// Required broker schemes that are neither listed nor misspelled.
  private(set) var missing: [String] = []
  /// Entries that resemble a missing broker scheme, each with that scheme.
  private(set) var misspelled: [(entry: InfoPlist.Entry, meant: String)] = []
  /// Duplicate entries, each with the first occurrence of the same entry.
  private(set) var duplicates: [(entry: InfoPlist.Entry, first: InfoPlist.Entry)] = []

  /// Duplicate entries for broker schemes.
  var duplicateBrokerSchemes: [(entry: InfoPlist.Entry, first: InfoPlist.Entry)] {
    duplicates.filter { $0.entry.text.hasPrefix("msauth") }
  }

  init(_ entries: [InfoPlist.Entry]) {
    missing = RedirectURI.brokerQuerySchemes.filter { scheme in !entries.contains { $0.text == scheme } }
    var first: [String: InfoPlist.Entry] = [:]
    for entry in entries {
      if let meant = meant(by: entry.text) {
        misspelled.append((entry, meant))
        missing.removeAll { $0 == meant }
      } else if let before = first[entry.text] {
        duplicates.append((entry, before))
      } else {
        first[entry.text] = entry
      }
    }
  }

  /// Returns the missing broker scheme that an entry was probably intended to be.
  private func meant(by text: String) -> String? {
    guard !missing.isEmpty, text != "msauth", !RedirectURI.brokerQuerySchemes.contains(text) else { return nil }
    let lower = text.lowercased()
    if lower.hasPrefix("msauth."), lower.count > "msauth.".count { return nil }
    let folded = lower.filter { $0.isLetter || $0.isNumber }
    if folded == "msauth" { return nil }
    if let prefix = missing.first(where: folded.hasPrefix) { return prefix }
    return Suggestion.nearest(to: folded, among: missing).flatMap { folded.hasPrefix("ms") ? $0 : nil }
  }
}
