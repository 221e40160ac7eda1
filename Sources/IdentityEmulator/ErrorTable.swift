import GraphEmulator
import IdentityPlatform

/// The errors that the emulator can return. They are the rows of the AADSTS table that have a description.
///
/// A fault can also inject a code that is not in the table. The OAuth error is then `invalid_grant`.
package enum ErrorTable {
  /// A context in which an error code can have a non-default OAuth error or suberror.
  package enum Context: String, Sendable, CaseIterable {
    case standard
    /// The request cannot show UI, because it is a silent sign-in or comes from an API that acts on behalf of a user.
    case silent
    /// The error concerns the refresh token, not the authorization code.
    case refreshToken
    /// The error concerns a parameter, not the grant.
    case parameter
    case deletedAccount
    /// The client tries to redeem a family refresh token that it cannot use.
    case family
    /// The user declined the sign-in on another device.
    case device
    /// The request was sent to the v1.0 endpoint.
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
    /// A one-line description of how to trigger the error.
    package let provokedBy: String
    /// The OAuth errors and suberrors for contexts in which they differ from the default.
    package let others: [Context: Pair]

    /// The HTTP status of endpoints that return JSON.
    package var httpStatus: Int { status == 400 && error == "invalid_client" ? 401 : status }

    /// Returns the OAuth error and suberror for a context. In a silent request, `interaction_required` replaces
    /// `invalid_grant` unless the table specifies another error.
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

  /// Returns the row for a code, or a generic `invalid_grant` row for a code that is not in the table.
  package static func row(_ code: Int) -> Row {
    emulatedRow(code)
      ?? Row(
        code: code, error: "invalid_grant", suberror: nil, status: 400, staysOnPage: false,
        message: "The request was rejected.", provokedBy: "add a fault with this code", others: [:])
  }

  /// Returns the row for a code, or nil if the emulator returns the code only for a fault.
  package static func emulatedRow(_ code: Int) -> Row? { AADSTS.record(of: code).flatMap(Row.init) }

  /// The rows, in the order of the AADSTS table.
  package static let rows: [Row] = AADSTS.records.compactMap(Row.init)

  /// The content of the reference page `EmulatorErrors.md`.
  package static var table: String {
    let lines = rows.sorted { $0.code < $1.code }.map { row in
      "| AADSTS\(row.code) | `\(row.error)`\(row.suberror.map { ", `\($0)`" } ?? "") | \(row.httpStatus) | \(row.provokedBy) |"
    }
    return """
      # Emulator errors

      The error codes that the emulator returns, with their OAuth error and suberror, the HTTP status of JSON endpoints, and a
      way to trigger each error. If the authorize endpoint shows an error page, the HTTP status is 200, and the page
      contains the code. Silent sign-ins (`prompt=none`) and on-behalf-of requests return `interaction_required` for errors
      that require user interaction.

      | Code | Error, suberror | Status | How to trigger |
      |---|---|---|---|
      \(lines.joined(separator: "\n"))

      """
  }
}

extension ErrorTable.Row {
  /// Decodes a record of the AADSTS table. Returns nil if the record has no description.
  fileprivate init?(_ record: DataRecord) {
    guard let message = record["message"] else { return nil }
    var others: [ErrorTable.Context: ErrorTable.Pair] = [:]
    for context in ErrorTable.Context.allCases {
      let values = record.list(context.rawValue)
      if let error = values.first { others[context] = ErrorTable.Pair(error, values.dropFirst().first) }
    }
    self.init(
      code: Int(record.text("code")) ?? 0, error: record["error"] ?? "invalid_request", suberror: record["suberror"],
      status: Int(record.text("status")) ?? 400, staysOnPage: record.list("marks").contains("page"), message: message,
      provokedBy: record.text("provokedBy"), others: others)
  }
}
