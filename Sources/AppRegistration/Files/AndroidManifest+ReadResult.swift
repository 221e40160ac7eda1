import Diagnostics
import Documents

extension AndroidManifest {
  /// Reads a manifest.
  /// - Returns: nil where there is no element at all.
  package static func read(_ bytes: [UInt8], named name: String) -> (manifest: AndroidManifest?, [Diagnostic]) {
    let reading = XMLDocumentReader.read(bytes, named: name)
    guard let root = reading.root, let source = reading.source else { return (nil, reading.diagnostics) }
    var manifest = AndroidManifest(source: source)
    manifest.package = root.attribute("package").map(located)
    for application in root.children(named: "application") {
      for element in application.children where element.name == "activity" || element.name == "activity-alias" {
        manifest.add(element)
      }
    }
    return (manifest, reading.diagnostics)
  }

  private mutating func add(_ element: XMLElement) {
    // What the merger shall take away is not there.
    let node = element.attribute("node", namespace: XMLNamespace.androidTools)?.value
    guard node != "remove", node != "removeAll", let name = element.android("name") else { return }
    var activity = Activity(
      name: Self.located(name), exported: element.android("exported").map(Self.located),
      place: FileSpan(source, element.nameSpan))
    activity.filters = element.children(named: "intent-filter").prefix(Self.most).map(Self.filter)
    if activity.filters.contains(where: Self.launches) {
      isAppsOwn = true
      launcherSaysExported = launcherSaysExported || activity.exported != nil
    }
    guard activities.count < Self.most else { return }
    if activity.isMSALs || activity.filters.contains(where: Self.opensRedirects) { activities.append(activity) }
  }

  /// More activities, filters in one, and `<data>` in a filter, than any app has; what follows them is not judged.
  private static let most = 500

  private static func filter(_ element: XMLElement) -> Filter {
    var filter = Filter(place: FileSpan(element.source, element.nameSpan))
    for child in element.children {
      let name = child.android("name").map(located)
      switch child.name {
      case "action": if let name { filter.actions.append(name) }
      case "category": if let name { filter.categories.append(name) }
      case "data" where filter.data.count < most:
        var data = RedirectData(place: child.place)
        data.scheme = child.android("scheme").map(located)
        data.host = child.android("host").map(located)
        data.path = child.android("path").map(located)
        data.hasPathPattern = child.attributes.contains {
          $0.namespace == XMLNamespace.android && $0.localName.hasPrefix("path") && $0.localName != "path"
        }
        filter.data.append(data)
      default: break
      }
    }
    return filter
  }

  private static func launches(_ filter: Filter) -> Bool {
    filter.categories.contains { $0.value == "android.intent.category.LAUNCHER" }
  }

  private static func opensRedirects(_ filter: Filter) -> Bool {
    filter.data.contains { $0.scheme?.value.lowercased() == "msauth" || $0.isAppleForm }
  }

  private static func located(_ attribute: XMLAttribute) -> Positioned<String> {
    Positioned(attribute.value, at: attribute.valuePlace)
  }
}

extension AndroidManifest.Filter {
  /// What Android makes of the filter for one URI.
  package enum MatchResult: Sendable { case yes, no, unknown }

  /// Whether it opens a redirect URI: scheme, host and path each among those that it lists, the path decoded.
  ///
  /// A value that the build fills in, or a resource, may be anything.
  package func answers(_ redirect: AndroidRedirect) -> MatchResult {
    guard let scheme = redirect.scheme, let host = redirect.host else { return .unknown }
    let path = PercentText.decode(redirect.path.prefix { $0 != "?" && $0 != "#" })
    let answers = [
      Self.answer(data.compactMap(\.scheme), [scheme.lowercased()], isOpen: false),
      // A port, if any, stands apart in the filter.
      Self.answer(data.compactMap(\.host), [String(host)], isOpen: true),
      data.contains(where: \.hasPathPattern)
        ? .unknown : Self.answer(data.compactMap(\.path), [path, String(redirect.path)], isOpen: true),
    ]
    if answers.contains(.no) { return .no }
    return answers.contains(.unknown) ? .unknown : .yes
  }

  private static func answer(_ listed: [Positioned<String>], _ wanted: [String], isOpen: Bool) -> MatchResult {
    if listed.isEmpty { return isOpen ? .yes : .no }
    if listed.contains(where: { wanted.contains($0.value) || $0.value == "*" }) { return .yes }
    return listed.contains(where: \.isFilledIn) ? .unknown : .no
  }
}

extension Positioned where Value == String {
  /// Whether a manifest's value is known only after the build: `${applicationId}`, `@string/redirect_path`.
  package var isFilledIn: Bool { isReference || value.hasPrefix("@") || value.contains("{{") }
}
