import AppRegistration
import Diagnostics
import Documents
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
      // Of several registrations, only one that the app's settings name is its own.
      guard Self.belongs(manifest, isOnly: isOnly, to: clientIDs) else { return [] }
      let bundles = manifest.writtenRedirects.compactMap { redirect in
        Self.bundleID(redirect.uri.value).map { (redirect.uri, $0) }
      }
      let packages = manifest.writtenRedirects.compactMap { redirect in
        Self.package(redirect.uri.value).map { (redirect.uri, $0) }
      }
      return compare(bundles, in: file, with: bundleIDs, isWhole: app.summary.knowsEveryBundleID, "bundle id")
        + compare(packages, in: file, with: knownPackages, isWhole: false, "package")
    }
  }

  /// Says nothing as long as one of the registered URIs is the app's: the others may be another app's of the same registration.
  private func compare(
    _ registered: [(uri: Positioned<String>, name: String)], in file: ValidatedFile, with known: AppFacts,
    isWhole: Bool,
    _ what: String
  ) -> [Diagnostic] {
    guard let first = known.first, !registered.isEmpty else { return [] }
    let names = known.names
    guard !registered.contains(where: { names.contains($0.name) }) else { return [] }
    return registered.compactMap { uri, name in
      let near = known.like(name)
      // With several bundle ids, which of them signs in is not known, unless all of them are and none fits.
      guard near != nil || names.count == 1 || isWhole else { return nil }
      let fact = near ?? first
      let fix = near.flatMap {
        Diagnostic.Fix.replacing(
          uri, in: file, with: Self.replacing(name, by: $0.value, in: uri.value), "write it as the app does")
      }
      return finding(
        near == nil
          ? "this is registered for the \(what) \(name), and the app's is \(Self.list(known))"
          : "the app's \(what) is spelled \(fact.value): the case differs",
        help: "register the redirect URI of \(fact.value)", at: uri.place,
        related: fact.place.map { [.init("the app's \(what) is here", at: $0)] } ?? [], fix: fix)
    }
  }

  /// `com.contoso.app`, or of several the first two.
  private static func list(_ known: AppFacts) -> String {
    known.all.prefix(2).map(\.value).joined(separator: " or ") + (known.all.count > 2 ? " or another" : "")
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
    guard uri.hasPrefix("msauth://"), let host = URLParts(uri)?.host, !host.isEmpty, host != "code" else { return nil }
    return host
  }
}
