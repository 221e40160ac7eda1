import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct BundleIDContradiction: Rule {
  let id = "bundle-id-contradiction"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let app = project.app(of: file)
    return inScripts(file, app, project) + inSettings(file, app)
  }

  /// Checks the bundle IDs in a script. Reports each bundle ID only once, even if the script repeats it.
  private func inScripts(_ file: ValidatedFile, _ app: App, _ project: Project) -> [Diagnostic] {
    guard file.appManifests.contains(where: { !$0.codeConfigurations.isEmpty }) else { return [] }
    let defined = project.definitions.value("PRODUCT_BUNDLE_IDENTIFIER").map { SharedAppValue(value: $0) }
    let known = app.appleBundleIDs.adding(defined)
    guard let first = known.first else { return [] }
    let names = known.names
    return file.appManifests.flatMap { manifest -> [Diagnostic] in
      let tokens = manifest.codeConfigurations.compactMap { $0["bundleId"] }
        .filter { !AppManifest.isToBeFilledIn($0.value) && !$0.value.isEmpty }
      var reported: Set<String> = []
      return tokens.compactMap { token in
        // Tests and extensions have their own bundle IDs, which start with the app's bundle ID.
        guard !names.contains(token.value), names.count == 1 || !known.containsName(withPrefix: token.value),
          reported.insert(token.value).inserted
        else { return nil }
        let repeats = tokens.filter { $0.value == token.value }.dropFirst()
        return finding(
          "bundle ID `\(token.value)` does not match the app's bundle ID `\(first.value)`",
          help: "replace it with `\(first.value)`, so that the script finds the text to replace", at: token.place,
          related: (first.place.map { [Diagnostic.Related("the app's bundle ID is here", at: $0)] } ?? [])
            + repeats.map { .init("the other bundle ID is also used here", at: $0.place) },
          fix: names.count == 1 ? Self.fix([token] + repeats, in: file, first.value) : nil)
      }
    }
  }

  private static func fix(_ tokens: [Positioned<String>], in file: ValidatedFile, _ value: String) -> Diagnostic.Fix? {
    let edits = tokens.compactMap { Diagnostic.Fix.replacing($0, in: file, with: value, "")?.edits }.flatMap { $0 }
    return edits.isEmpty ? nil : Diagnostic.Fix(description: "replace with `\(value)`", edits: edits)
  }

  /// Checks settings that do not refer to an Info.plist. `BundleIDMismatch` checks settings that do.
  private func inSettings(_ file: ValidatedFile, _ app: App) -> [Diagnostic] {
    // Most settings do not contain a bundle ID.
    guard file.kind == .authSettings, file.loadedSettings.contains(where: { $0.settings.bundleID != nil }) else {
      return []
    }
    guard let first = app.summary.onlyBundleID else { return [] }
    return file.loadedSettings.compactMap { loaded in
      guard loaded.infoPlist == nil, let own = loaded.settings.bundleID, !AppManifest.isToBeFilledIn(own.value),
        own.value != first.value
      else { return nil }
      let isCase = own.value.lowercased() == first.value.lowercased()
      return finding(
        "`BundleId` `\(own.value)` is not the app's bundle ID `\(first.value)`\(isCase ? " (letter case)" : "")",
        help: "replace it with `\(first.value)`", at: own.place,
        related: [.init("the app's bundle ID is here", at: first.place)],
        fix: .replacing(own, in: file, with: first.value, "replace with `\(first.value)`"))
    }
  }
}
