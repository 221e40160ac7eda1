import AppRegistration
import Diagnosis
import Diagnostics
import Documents
import Validation

/// A location in the app's files that is related to the fix for a diagnosed failure.
struct ProjectPlace {
  /// A description of the value at this location, such as ``redirect URI `http://localhost` ``.
  var text: String
  var place: FileSpan

  var json: JSON {
    let start = place.start
    return [
      "file": .string(place.source.name), "line": .integer(Int64(start.line)), "column": .integer(Int64(start.column)),
      "text": .string(text),
    ]
  }

  /// The location and its description as one line.
  var line: String {
    "\(CaretFrame.visible(place.source.name)):\(place.start.line):\(place.start.column): \(CaretFrame.visible(text))"
  }

  /// The maximum number of locations.
  private static let maximum = 12

  /// Returns the locations that are related to the fix for a cause, in the order of the project's files.
  static func places(of cause: Cause, in project: Project) -> [ProjectPlace] {
    let all = cause.concerns.flatMap { subject in project.files.flatMap { places(of: subject, in: $0) } }
    return Array(all.prefix(maximum))
  }

  private static func places(of subject: Cause.Subject, in file: ValidatedFile) -> [ProjectPlace] {
    switch subject {
    case .redirectURI: redirects(in: file)
    case .intentFilters: intentFilters(in: file)
    case .urlSchemes: urlSchemes(in: file)
    case .querySchemes: querySchemes(in: file)
    case .keychainGroups: keychainGroups(in: file)
    default: settings(subject, in: file)
    }
  }

  private static func settings(_ subject: Cause.Subject, in file: ValidatedFile) -> [ProjectPlace] {
    var places: [ProjectPlace] = []
    func add(_ noun: String, _ value: Positioned<String>?) {
      if let value { places.append(ProjectPlace(text: "\(noun) `\(value.value)`", place: value.place)) }
    }
    for settings in file.loadedSettings.map(\.settings) {
      switch subject {
      case .clientID: add("client ID", settings.appID)
      case .authority: add("authority", settings.authority ?? settings.tenantID)
      case .scopes: for scope in settings.scopes?.value ?? [] { add("scope", scope) }
      default: break
      }
    }
    for manifest in file.appManifests {
      switch subject {
      case .clientID: add("registered client ID", manifest.appID)
      case .authority: add("`signInAudience`", manifest.signInAudience)
      case .scopes:
        if let resources = manifest.requiredResources {
          places.append(ProjectPlace(text: "registered permissions", place: resources.place))
        }
      default: break
      }
    }
    if case .secrets = subject, let secret = file.msalJS?.clientSecret {
      // The value is not shown, because it can be a secret.
      places.append(ProjectPlace(text: "client secret", place: secret.place))
    }
    return places
  }

  private static func redirects(in file: ValidatedFile) -> [ProjectPlace] {
    var places = file.loadedSettings.map(\.settings).compactMap { settings -> ProjectPlace? in
      if let uri = settings.redirectURI { return ProjectPlace(text: "redirect URI `\(uri.value)`", place: uri.place) }
      if let scheme = settings.redirectScheme {
        return ProjectPlace(text: "redirect URI `\(scheme.value)://auth`", place: scheme.place)
      }
      return settings.bundleID.map {
        ProjectPlace(text: "default redirect URI `msauth.\($0.value)://auth`", place: $0.place)
      }
    }
    for manifest in file.appManifests {
      let registered = manifest.redirects.map { redirect in
        ProjectPlace(
          text: "registered redirect URI `\(redirect.uri.value)`"
            + (redirect.kind.map { " (\($0.portalName))" } ?? ""), place: redirect.uri.place)
      }
      if registered.isEmpty {
        places.append(
          ProjectPlace(text: "no redirect URI is registered", place: manifest.redirectList ?? manifest.node.place))
      }
      places += registered
    }
    return places
  }

  private static func intentFilters(in file: ValidatedFile) -> [ProjectPlace] {
    guard let manifest = file.androidManifest else { return [] }
    let activities = manifest.activities.filter(\.isMSALActivity)
    if activities.isEmpty, manifest.declaresLauncher {
      return [ProjectPlace(text: "no `BrowserTabActivity` is declared", place: FileSpan(manifest.source, nil))]
    }
    return activities.flatMap { activity -> [ProjectPlace] in
      let data = activity.filters.flatMap(\.data).map { data in
        let parts = [data.scheme?.value, data.host?.value, data.path?.value].map { $0 ?? "" }
        return ProjectPlace(text: "intent filter for `\(parts[0])://\(parts[1])\(parts[2])`", place: data.place)
      }
      return data.isEmpty ? [ProjectPlace(text: "activity without an intent filter", place: activity.place)] : data
    }
  }

  private static func urlSchemes(in file: ValidatedFile) -> [ProjectPlace] {
    guard let plist = file.infoPlist, !plist.isAppExtension, let node = file.node else { return [] }
    if plist.urlSchemes.isEmpty {
      return [
        ProjectPlace(text: "`CFBundleURLSchemes` is missing", place: node["CFBundleURLTypes"]?.place ?? node.place)
      ]
    }
    return plist.urlSchemes.map { ProjectPlace(text: "URL scheme `\($0.value)`", place: $0.place) }
  }

  private static func querySchemes(in file: ValidatedFile) -> [ProjectPlace] {
    guard let plist = file.infoPlist, !plist.isAppExtension, let node = file.node else { return [] }
    guard let schemes = plist.querySchemes else {
      return [ProjectPlace(text: "`LSApplicationQueriesSchemes` is missing", place: node.place)]
    }
    let listed = schemes.value.map { "`\($0.value)`" }.joined(separator: ", ")
    return [
      ProjectPlace(text: "`LSApplicationQueriesSchemes`: " + (listed.isEmpty ? "empty" : listed), place: schemes.place)
    ]
  }

  private static func keychainGroups(in file: ValidatedFile) -> [ProjectPlace] {
    var places = file.loadedSettings.compactMap(\.settings.keychainGroup).map {
      ProjectPlace(text: "keychain group `\($0.value)`", place: $0.place)
    }
    if let entitlements = file.entitlements, let node = file.node {
      if let groups = entitlements.keychainGroups {
        places += groups.value.map { ProjectPlace(text: "entitlement for the group `\($0.value)`", place: $0.place) }
      } else {
        places.append(ProjectPlace(text: "`keychain-access-groups` is missing", place: node.place))
      }
    }
    return places
  }
}
