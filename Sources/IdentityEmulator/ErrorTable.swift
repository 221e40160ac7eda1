import GraphEmulator
import IdentityPlatform

/// The errors that the emulator returns: the codes of the AADSTS table that have a description.
///
/// A fault can also inject a code that is not in the table. Its OAuth error is then `invalid_grant`.
package enum ErrorTable {
  /// A context in which a code has a different OAuth error or suberror.
  package enum Context: Hashable, Sendable, CaseIterable {
    case standard
    /// The request cannot show UI: a silent sign-in, or an API that calls another API on behalf of a user.
    case silent
    /// The error concerns the refresh token, not the authorization code.
    case refreshToken
    /// The error concerns a parameter, not the grant.
    case parameter
    case deletedAccount
    /// A family refresh token cannot be used by this client.
    case family
    /// The user declined the sign-in on another device.
    case device
    /// The v1.0 endpoint uses a different OAuth error.
    case older
  }

  /// An error code with its default OAuth error, HTTP status, and description.
  package struct Row: Sendable {
    package let code: Int
    package let error: String
    package let suberror: String?
    package let status: Int
    /// Whether the authorize endpoint shows an error page instead of redirecting to the app.
    package let staysOnPage: Bool
    package let message: String
    /// How to trigger the error, in one line.
    package let provokedBy: String
    /// OAuth errors and suberrors that differ by context.
    package let others: [Context: Pair]

    /// The HTTP status of endpoints that return JSON.
    package var httpStatus: Int { status == 400 && error == "invalid_client" ? 401 : status }

    /// Returns the OAuth error and suberror for a context. In a silent request, an error that UI could resolve is
    /// `interaction_required`.
    package func pair(in context: Context) -> Pair {
      if let other = others[context] { return other }
      if context == .silent, error == "invalid_grant" { return Pair("interaction_required", suberror) }
      return Pair(error, suberror)
    }
  }

  /// An OAuth error and its suberror.
  package struct Pair: Hashable, Sendable {
    package let error: String
    package let suberror: String?

    init(_ error: String, _ suberror: String? = nil) {
      self.error = error
      self.suberror = suberror
    }
  }

  /// Returns the row of a code, or a generic `invalid_grant` row for a code that is not in the table.
  package static func row(_ code: Int) -> Row {
    byCode[code]
      ?? Row(
        code: code, error: "invalid_grant", suberror: nil, status: 400, staysOnPage: false,
        message: "The request was rejected.", provokedBy: "a fault with this code", others: [:])
  }

  private static let byCode = Dictionary(rows.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

  /// The rows, in the order of the AADSTS table.
  package static let rows: [Row] = AADSTS.records.compactMap { record in
    guard let message = record["message"] else { return nil }
    var others: [Context: Pair] = [:]
    for context in Context.allCases {
      let values = record.list("\(context)")
      if let error = values.first { others[context] = Pair(error, values.dropFirst().first) }
    }
    return Row(
      code: Int(record.text("code")) ?? 0, error: record["error"] ?? "invalid_request", suberror: record["suberror"],
      status: Int(record.text("status")) ?? 400, staysOnPage: record.list("marks").contains("page"), message: message,
      provokedBy: record.text("provokedBy"), others: others)
  }

  /// The reference page `EmulatorErrors.md`.
  package static var table: String {
    let lines = rows.sorted { $0.code < $1.code }.map { row in
      "| AADSTS\(row.code) | `\(row.error)`\(row.suberror.map { ", `\($0)`" } ?? "") | \(row.httpStatus) | \(row.provokedBy) |"
    }
    return """
      # Emulator errors

      The error codes that the emulator returns, with their OAuth error and suberror, the HTTP status of JSON endpoints, and a
      way to trigger each error. If the authorize endpoint shows an error page, its status is 200 and the page contains the
      code. Silent sign-ins (`prompt=none`) and on-behalf-of requests return `interaction_required` for errors that require
      the user.

      | Code | Error, suberror | Status | Triggered by |
      |---|---|---|---|
      \(lines.joined(separator: "\n"))

      """
  }
}
