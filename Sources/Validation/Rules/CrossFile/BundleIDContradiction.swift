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

  /// One finding for a bundle id, however often the script's file repeats it.
  private func inScripts(_ file: ValidatedFile, _ app: App, _ project: Project) -> [Diagnostic] {
    guard file.appManifests.contains(where: { !$0.codeConfigurations.isEmpty }) else { return [] }
    let given = project.definitions.value("PRODUCT_BUNDLE_IDENTIFIER").map { SharedAppValue(value: $0) }
    let known = app.appleBundleIDs.adding(given)
    guard let first = known.first else { return [] }
    let names = known.names
    return file.appManifests.flatMap { manifest -> [Diagnostic] in
      let tokens = manifest.codeConfigurations.compactMap { $0["bundleId"] }
        .filter { !AppManifest.isToBeFilledIn($0.value) && !$0.value.isEmpty }
      var told: Set<String> = []
      return tokens.compactMap { token in
        // Tests and extensions have ids of their own, which begin with the app's.
        guard !names.contains(token.value), names.count == 1 || !known.holdsName(beginningWith: token.value),
          told.insert(token.value).inserted
        else { return nil }
        let again = tokens.filter { $0.value == token.value }.dropFirst()
        return finding(
          "the bundle id here is \(token.value), and the app's is \(first.value)",
          help: "write \(first.value): the script replaces this text, and does not find it", at: token.place,
          related: (first.place.map { [Diagnostic.Related("the app's is here", at: $0)] } ?? [])
            + again.map { .init("and it stands here again", at: $0.place) },
          fix: names.count == 1 ? Self.fix([token] + again, in: file, first.value) : nil)
      }
    }
  }

  private static func fix(_ tokens: [Positioned<String>], in file: ValidatedFile, _ value: String) -> Diagnostic.Fix? {
    let edits = tokens.compactMap { Diagnostic.Fix.replacing($0, in: file, with: value, "")?.edits }.flatMap { $0 }
    return edits.isEmpty ? nil : Diagnostic.Fix(description: "write \(value)", edits: edits)
  }

  /// Settings that name their Info.plist are held to it where they are loaded.
  private func inSettings(_ file: ValidatedFile, _ app: App) -> [Diagnostic] {
    // Settings without a bundle id are most of them.
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
        "BundleId is \(own.value), and the app is built as \(first.value)\(isCase ? ": the case differs" : "")",
        help: "write \(first.value)", at: own.place, related: [.init("the app's bundle id is here", at: first.place)],
        fix: .replacing(own, in: file, with: first.value, "write \(first.value)"))
    }
  }
}
