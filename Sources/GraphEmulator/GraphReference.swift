import HTTPTypes

/// The reference entry for a supported Graph request, derived from its route.
package struct GraphReference: Hashable, Sendable {
  package var method: String
  /// The path without the version, such as `/me/events/{id}`.
  package var path: String
  /// The alternative delegated permissions. Empty if any delegated token is sufficient.
  package var delegated: [String]
  /// The alternative application permissions. Empty if the request does not support app-only access.
  package var application: [String]
  package var worksForPersonalAccounts: Bool

  /// All routes except `$batch`, in matching order.
  package static let all: [GraphReference] = GraphRoute.all.map { route in
    let below = route.path.replacing("{}", with: "{id}")
    let path = route.anchor == .user ? (below.isEmpty ? "/me" : "/me/" + below) : "/" + below
    return GraphReference(
      method: route.method.rawValue, path: path,
      delegated: route.permission.anyOf, application: route.forApps?.anyOf ?? [],
      worksForPersonalAccounts: route.isForPersonal)
  }

  /// The reference table in Markdown.
  package static var markdown: String {
    let rows = all.map { entry in
      let application = entry.application.isEmpty ? "–" : entry.application.joined(separator: ", ")
      return "| `\(entry.method) \(entry.path)` | \(entry.delegated.joined(separator: ", ")) | \(application) | "
        + (entry.worksForPersonalAccounts ? "yes" : "no") + " |"
    }
    return (["| Request | Delegated | Application | Personal accounts |", "|---|---|---|---|"] + rows)
      .joined(separator: "\n")
  }

  /// The reference page in Markdown.
  package static var page: String {
    """
    # Microsoft Graph in the emulator

    The Microsoft Graph requests that the emulator supports, and their permissions.

    All paths exist under `/v1.0` and `/beta`. Paths under `/me` also exist under `/users/{id}`. If a cell lists
    several permissions, one of them is sufficient. The emulator also supports `POST /$batch`.

    Paths under `/me/drive` also exist under `/drives/{id}` and `/me/drives/{id}`. You can replace `items/{id}` with
    `root:/{path}:` or `items/{id}:/{path}:`. Upload URLs are preauthenticated, so requests to them must not have an
    `Authorization` header.

    The maximum size of a request is \(GraphLimits.request >> 20) MiB. For `PUT` requests to `…/content` or to an
    upload URL, it is \(GraphLimits.upload >> 20) MiB. The emulator rejects larger requests with status 413. It stores at most
    \(DriveStore.byteLimit >> 20) MiB of files, attachments, and unfinished uploads, 20 upload sessions, and
    \(DriveStore.itemLimit) items in each drive.

    If the token does not have a sufficient permission, the response has status 403, the service's error code, and an
    `x-authflow-permissions` header that lists the sufficient permissions.

    For an unsupported request, the response has status 501, the error code `NotEmulated`, and an
    `x-authflow-not-emulated` header that contains the request. The entry in the
    [request log](<doc:EmulatorControl>) contains the decision `not emulated`. The live service may support this
    request. To add a response to the emulator, add the path and its data under the `graph` key of the directory.

    \(markdown)

    """
  }
}
