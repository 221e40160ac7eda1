import HTTPTypes

/// What the emulated Graph answers, read from the routes themselves: for the handbook.
package struct GraphReference: Hashable, Sendable {
  package var method: String
  /// Below the version: `/me/events/{id}`.
  package var path: String
  /// Delegated permissions, any of which will do; empty where the caller's token is enough.
  package var delegated: [String]
  /// Application permissions, any of which will do; empty where an app alone cannot ask.
  package var application: [String]
  package var worksForPersonalAccounts: Bool

  /// Every route, `$batch` left out, in the order in which they are tried.
  package static let all: [GraphReference] = GraphRoute.all.map { route in
    let below = route.path.replacing("{}", with: "{id}")
    let path = route.anchor == .user ? (below.isEmpty ? "/me" : "/me/" + below) : "/" + below
    return GraphReference(
      method: route.method.rawValue, path: path,
      delegated: route.permission.anyOf, application: route.forApps?.anyOf ?? [],
      worksForPersonalAccounts: route.isForPersonal)
  }

  /// The table in Markdown.
  package static var markdown: String {
    let rows = all.map { entry in
      let application = entry.application.isEmpty ? "–" : entry.application.joined(separator: ", ")
      return "| `\(entry.method) \(entry.path)` | \(entry.delegated.joined(separator: ", ")) | \(application) | "
        + (entry.worksForPersonalAccounts ? "yes" : "no") + " |"
    }
    return (["| request | delegated | application | personal accounts |", "|---|---|---|---|"] + rows)
      .joined(separator: "\n")
  }

  /// The page of the reference, in Markdown.
  package static var page: String {
    """
    # Microsoft Graph in the emulator

    The requests that the emulator serves, and the permissions that each request needs.

    All paths exist below `/v1.0` and `/beta`. A path below `/me` also exists below `/users/{id}`. If a cell lists several
    permissions, one of them is enough. The emulator also serves `POST /$batch`.

    A path below `/me/drive` also exists below `/drives/{id}` and `/me/drives/{id}`. In place of `items/{id}` you can write
    `root:/{path}:` or `items/{id}:/{path}:`. Upload URLs are preauthenticated: requests to them must not have the header
    `Authorization`. A request can have \(GraphLimits.request >> 20) MiB. A `PUT` request to `…/content` or to an upload URL can
    have \(GraphLimits.upload >> 20) MiB. To a larger request the emulator responds with status 413. It keeps
    \(DriveStore.byteLimit >> 20) MiB of files, attachments, and unfinished uploads together, 20 upload sessions, and
    \(DriveStore.itemLimit) items in a drive.

    If the token has none of the permissions of a request, the response has status 403, the service's error code, and the
    header `x-authflow-permissions`, which names the permissions.

    Requests that the emulator does not serve get status 501, the error code `NotEmulated`, and the header
    `x-authflow-not-emulated`, which names the request. The entry of the request in the
    [audit trail](<doc:EmulatorControl>) has the decision `not emulated`. This answer says nothing about the real service. To
    answer such a path, add its data under the key `graph` of the directory.

    \(markdown)

    """
  }
}
