import AppRegistration
import Diagnostics
import Documents

struct URLSchemeBundleMismatch: Rule {
  let id = "url-scheme-bundle-mismatch"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning, .note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let plist = file.infoPlist, !plist.isAppExtension, !project.app(of: file).isForMacOnly(file) else {
      return []
    }
    let candidates = plist.ownSchemes.filter { !SignInScheme.isPlaceholder($0.entry.text) }
    guard !candidates.isEmpty else { return [] }
    // A reference without a known value can expand to the correct bundle ID.
    guard !candidates.contains(where: { Definitions.containsReference($0.entry.text) }) else { return [] }
    let known = project.app(of: file).bundleIDs(of: file)
    guard !known.isEmpty else { return notCompared(candidates, plist) }
    let fitting = candidates.filter { candidate in known.contains { $0.value == candidate.bundleID } }
    if let first = fitting.first { return notes(on: first.entry, candidates, known) }
    let meant = known.count == 1 && candidates.count == 1 ? Self.scheme(for: known[0], in: file) : nil
    let isRequired = !plist.hasClientScheme && !project.app(of: file).settingsNameAnotherRedirect(than: file)
    return candidates.filter { SignInScheme.isWellFormed($0.entry.text) }.map { candidate in
      mismatch(candidate, known, meant, severity: isRequired ? .error : .warning)
    }
  }

  /// Returns a note that the schemes were not compared with the bundle ID, because it is a build setting without a
  /// known value.
  private func notCompared(
    _ candidates: [(entry: InfoPlist.Entry, bundleID: Substring)], _ plist: InfoPlist
  ) -> [Diagnostic] {
    guard let bundleID = plist.bundleID, let reference = Definitions.references(in: bundleID.value).first,
      let first = candidates.first
    else { return [] }
    return [
      finding(
        "cannot compare `\(first.entry.text)` with the bundle ID: `\(bundleID.value)` has no value",
        severity: .note, help: "pass `--define \(reference)=<value>`", at: first.entry.node.place,
        related: [.init("the bundle ID is here", at: bundleID.place)])
    ]
  }

  private func mismatch(
    _ candidate: (entry: InfoPlist.Entry, bundleID: Substring), _ known: [KnownBundleID], _ meant: String?,
    severity: Diagnostic.Severity
  ) -> Diagnostic {
    let ids = known.map { "`\($0.value)`" }.joined(separator: " or ")
    let isCase = known.contains { $0.value.lowercased() == candidate.bundleID.lowercased() }
    return finding(
      "`\(candidate.entry.text)` does not match the bundle ID \(ids)\(isCase ? " (letter case)" : "")",
      severity: severity,
      help:
        "use `\(meant ?? "msauth.\(known[0].value)")`, and register `msauth.\(known[0].value)://auth` in the portal",
      at: candidate.entry.node.place,
      related: known.compactMap { known in
        known.place.map {
          .init(known.configuration.map { "the bundle ID of \($0) is here" } ?? "the bundle ID is here", at: $0)
        }
      },
      fix: meant.flatMap { TextEdits.replaceValue(candidate.entry.node, with: $0) }.map {
        .init(description: "replace with the scheme for the app's bundle ID", edits: $0)
      })
  }

  /// Returns notes for build configurations whose bundle ID does not match any scheme.
  private func notes(
    on entry: InfoPlist.Entry, _ candidates: [(entry: InfoPlist.Entry, bundleID: Substring)], _ known: [KnownBundleID]
  ) -> [Diagnostic] {
    known.filter { id in !candidates.contains { $0.bundleID == id.value } }.map { id in
      finding(
        "no scheme matches the bundle ID `\(id.value)`\(id.configuration.map { " of \($0)" } ?? "")", severity: .note,
        help: "use `msauth.$(PRODUCT_BUNDLE_IDENTIFIER)`, which works for every configuration", at: entry.node.place,
        related: id.place.map { [.init("the bundle ID is here", at: $0)] } ?? [])
    }
  }

  /// Returns the scheme for a bundle ID. If the bundle ID in the file contains a build setting reference, the scheme
  /// also contains the reference.
  private static func scheme(for known: KnownBundleID, in file: ValidatedFile) -> String {
    let reference = file.node?["CFBundleIdentifier"]?.string ?? "$(PRODUCT_BUNDLE_IDENTIFIER)"
    return "msauth.\(reference.isEmpty ? known.value : reference)"
  }
}
