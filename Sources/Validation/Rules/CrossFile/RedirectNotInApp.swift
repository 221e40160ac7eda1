import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct RedirectNotInApp: Rule {
  let id = "redirect-not-in-app"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard !file.appManifests.isEmpty else { return [] }
    let app = project.app(of: file)
    let clientIDs = app.clientIDs
    let isOnly = app.manifests.count == 1
    let (bundleIDs, knownPackages) = (app.appleBundleIDs, app.androidPackages)
    return file.appManifests.flatMap { manifest -> [Diagnostic] in
      // If there are several registrations, only a registration with a client ID from the settings belongs to the app.
      guard Self.belongs(manifest, isOnly: isOnly, to: clientIDs) else { return [] }
      let bundles = manifest.writtenRedirects.compactMap { redirect in
        Self.bundleID(redirect.uri.value).map { (redirect.uri, $0) }
      }
      let packages = manifest.writtenRedirects.compactMap { redirect in
        Self.package(redirect.uri.value).map { (redirect.uri, $0) }
      }
      return compare(bundles, in: file, with: bundleIDs, isComplete: app.summary.knowsEveryBundleID, "bundle ID")
        + compare(packages, in: file, with: knownPackages, isComplete: false, "package")
    }
  }

  /// Compares the registered URIs with the app. If any registered URI belongs to the app, there are no findings,
  /// because the other URIs may belong to another app with the same registration.
  private func compare(
    _ registered: [(uri: Positioned<String>, name: String)], in file: ValidatedFile, with known: SharedAppValues,
    isComplete: Bool,
    _ label: String
  ) -> [Diagnostic] {
    guard let first = known.first, !registered.isEmpty else { return [] }
    let names = known.names
    guard !registered.contains(where: { names.contains($0.name) }) else { return [] }
    return registered.compactMap { uri, name in
      let similar = known.ignoringCase(name)
      // If the app has several bundle IDs, users can sign in to a build with any of them. A mismatch is certain only if
      // all bundle IDs are known.
      guard similar != nil || names.count == 1 || isComplete else { return nil }
      let expected = similar ?? first
      let fix = similar.flatMap {
        Diagnostic.Fix.replacing(
          uri, in: file, with: Self.replacing(name, by: $0.value, in: uri.value), "use the app's letter case")
      }
      return finding(
        similar == nil
          ? "redirect URI is for the \(label) `\(name)`, but the app uses \(Self.list(known))"
          : "\(label) differs in letter case from the app's `\(expected.value)`",
        help: "register the redirect URI for `\(expected.value)`", at: uri.place,
        related: expected.place.map { [.init("the app's \(label) is here", at: $0)] } ?? [], fix: fix)
    }
  }

  /// Returns a list of at most two values, such as `com.contoso.app`.
  private static func list(_ known: SharedAppValues) -> String {
    known.all.prefix(2).map { "`\($0.value)`" }.joined(separator: " or ")
      + (known.all.count > 2 ? " or another one" : "")
  }

  private static func replacing(_ name: String, by other: String, in uri: String) -> String {
    uri.replacing(name, with: other, maxReplacements: 1)
  }

  private static func belongs(_ manifest: AppManifest, isOnly: Bool, to clientIDs: Set<String>) -> Bool {
    if let clientID = manifest.clientID?.value.lowercased() {
      return clientIDs.contains(clientID) || (clientIDs.isEmpty && isOnly)
    }
    return isOnly && clientIDs.count <= 1
  }

  private static func bundleID(_ uri: String) -> String? {
    guard uri.hasPrefix("msauth."), uri.hasSuffix("://auth") else { return nil }
    let name = uri.dropFirst("msauth.".count).dropLast("://auth".count)
    return name.isEmpty ? nil : String(name)
  }

  private static func package(_ uri: String) -> String? {
    guard uri.hasPrefix("msauth://"), let host = URLReference(valid: uri)?.writtenHost, !host.isEmpty, host != "code"
    else { return nil }
    return host
  }
}
