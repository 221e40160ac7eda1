import Diagnostics
import Documents

extension AndroidManifest {
  /// Parses an `AndroidManifest.xml` file and reports its errors.
  /// - Returns: Nil if the document has no root element.
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
    // The manifest merger removes these elements.
    let node = element.attribute("node", namespace: XMLNamespace.androidTools)?.value
    guard node != "remove", node != "removeAll", let name = element.android("name") else { return }
    var activity = Activity(
      name: Self.located(name), exported: element.android("exported").map(Self.located),
      place: FileSpan(source, element.nameSpan))
    activity.filters = element.children(named: "intent-filter").prefix(Self.maximumCount).map(Self.filter)
    if activity.filters.contains(where: Self.launches) {
      declaresLauncher = true
      launcherSetsExported = launcherSetsExported || activity.exported != nil
    }
    guard activities.count < Self.maximumCount else { return }
    if activity.isMSALActivity || activity.filters.contains(where: Self.opensRedirects) { activities.append(activity) }
  }

  /// The maximum number of activities, of filters per activity, and of `<data>` elements per filter. Any others are
  /// ignored.
  private static let maximumCount = 500

  private static func filter(_ element: XMLElement) -> Filter {
    var filter = Filter(place: FileSpan(element.source, element.nameSpan))
    for child in element.children {
      let name = child.android("name").map(located)
      switch child.name {
      case "action": if let name { filter.actions.append(name) }
      case "category": if let name { filter.categories.append(name) }
      case "data" where filter.data.count < maximumCount:
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
  /// The result of matching a filter against a URI.
  package enum MatchResult: Sendable { case yes, no, unknown }

  /// Returns whether the filter matches a redirect URI. To match, the filter must list the URI's scheme, host, and
  /// decoded path.
  ///
  /// The result is unknown if a value is a resource or is set during the build.
  package func matches(_ redirect: AndroidRedirect) -> MatchResult {
    guard let scheme = redirect.scheme, let host = redirect.host else { return .unknown }
    let path = PercentText.decode(redirect.path.prefix { $0 != "?" && $0 != "#" })
    let results = [
      Self.match(data.compactMap(\.scheme), [scheme.lowercased()], isOpen: false),
      // The port is a separate attribute of a filter.
      Self.match(data.compactMap(\.host), [String(host)], isOpen: true),
      data.contains(where: \.hasPathPattern)
        ? .unknown : Self.match(data.compactMap(\.path), [path, String(redirect.path)], isOpen: true),
    ]
    if results.contains(.no) { return .no }
    return results.contains(.unknown) ? .unknown : .yes
  }

  private static func match(_ listed: [Positioned<String>], _ values: [String], isOpen: Bool) -> MatchResult {
    if listed.isEmpty { return isOpen ? .yes : .no }
    if listed.contains(where: { values.contains($0.value) || $0.value == "*" }) { return .yes }
    return listed.contains(where: \.isResolvedAtBuildTime) ? .unknown : .no
  }
}

extension Positioned where Value == String {
  /// Whether the value is known only after the build, such as `${applicationId}` or `@string/redirect_path`.
  package var isResolvedAtBuildTime: Bool { isReference || value.hasPrefix("@") || value.contains("{{") }
}
