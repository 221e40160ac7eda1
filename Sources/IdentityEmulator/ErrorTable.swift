import GraphEmulator
import IdentityPlatform

/// The platform's errors as the emulator raises them: the rows of the AADSTS table that have a sentence.
///
/// A code whose cause cannot occur here is not listed; a fault may still inject it, and then takes `invalid_grant`.
package enum ErrorTable {
  /// Where the same code has another error or suberror, because of who is told.
  package enum Context: Hashable, Sendable, CaseIterable {
    case usual
    /// Nobody can be shown a page: a silent sign-in, or an API in between that passes the error on.
    case silent
    /// The refresh token, not the code, is what is wrong.
    case refreshToken
    /// A parameter is wrong rather than the grant.
    case parameter
    case deletedAccount
    /// A refresh token of the family does not serve this member.
    case family
    /// The user said no on another device.
    case device
    /// The older version of the endpoint has another word for it.
    case older
  }

  package struct Row: Sendable {
    package let code: Int
    package let error: String
    package let suberror: String?
    package let status: Int
    /// Whether the authorize endpoint keeps the browser on a page instead of telling the app.
    package let staysOnPage: Bool
    package let message: String
    /// How to make it occur, in one line.
    package let provokedBy: String
    /// Error and suberror on occasions other than the usual one.
    package let others: [Context: Pair]

    /// The status of an endpoint that answers in JSON.
    package var httpStatus: Int { status == 400 && error == "invalid_client" ? 401 : status }

    /// Error and suberror on an occasion. Silently, whatever a page could mend is `interaction_required`.
    package func pair(on occasion: Context) -> Pair {
      if let other = others[occasion] { return other }
      if occasion == .silent, error == "invalid_grant" { return Pair("interaction_required", suberror) }
      return Pair(error, suberror)
    }
  }

  package struct Pair: Hashable, Sendable {
    package let error: String
    package let suberror: String?

    init(_ error: String, _ suberror: String? = nil) {
      self.error = error
      self.suberror = suberror
    }
  }

  package static func row(_ code: Int) -> Row {
    byCode[code]
      ?? Row(
        code: code, error: "invalid_grant", suberror: nil, status: 400, staysOnPage: false,
        message: "The request was refused.", provokedBy: "a fault with this code", others: [:])
  }

  private static let byCode = Dictionary(rows.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

  /// The codes of the AADSTS table that have a sentence of the emulator.
  package static let rows: [Row] = AADSTS.records.compactMap { record in
    guard let message = record["message"] else { return nil }
    var others: [Context: Pair] = [:]
    for context in Context.allCases {
      let words = record.words("\(context)")
      if let error = words.first { others[context] = Pair(error, words.dropFirst().first) }
    }
    return Row(
      code: Int(record.text("code")) ?? 0, error: record["error"] ?? "invalid_request", suberror: record["suberror"],
      status: Int(record.text("status")) ?? 400, staysOnPage: record.words("marks").contains("page"), message: message,
      provokedBy: record.text("provokedBy"), others: others)
  }

  /// The rows as a table for the handbook, in Markdown.
  package static var table: String {
    let lines = rows.sorted { $0.code < $1.code }.map { row in
      "| AADSTS\(row.code) | `\(row.error)`\(row.suberror.map { ", `\($0)`" } ?? "") | \(row.httpStatus) | \(row.provokedBy) |"
    }
    return """
      # Errors of the emulated platform

      Each code, the error and suberror that come with it, the status of an endpoint that answers so, and how to make it
      occur. Where the browser is kept on a page, the status is 200 and the page names the code; a silent sign-in
      (`prompt=none`) and an exchange on behalf of a user say `interaction_required` for what a page could mend.

      | code | error, suberror | status | provoked by |
      |---|---|---|---|
      \(lines.joined(separator: "\n"))

      """
  }
}
