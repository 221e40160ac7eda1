import Diagnostics
import Documents
import Effects
import Foundation
import HTTPTypes
import IdentityEmulator
import WorkflowModel

extension EmulatedPlatform {
  /// An installed fault, and the number of requests that have triggered it.
  public struct InstalledFault: Hashable, Sendable {
    /// The target that you specified for the fault.
    public let target: String
    /// The number of requests that have triggered the fault.
    public let fired: Int
  }

  /// Simulates events in order.
  ///
  /// `wait` also advances the clients' clock, like ``advance(by:)``. The events `signedIn` and `cacheCorrupted` affect
  /// an app rather than the platform, so this method does not support them.
  /// - Throws: `AuthflowError` if an event is invalid or impossible. Earlier events remain in effect.
  public func simulate(_ events: SimulatedEvent...) async throws(AuthflowError) {
    for event in events {
      let entry = try event.entry()
      if let length = entry["wait"]?.string.flatMap({ DurationText.parse($0) }) {
        await advance(by: length)
      } else {
        _ = try await control(.post, "events", body: [entry])
      }
    }
  }

  /// The number of requests so far, by type. `all` also includes control requests and requests for pages.
  /// - Throws: `AuthflowError` if the platform does not respond.
  public var requests: RequestCounts {
    get async throws(AuthflowError) {
      let state = try await control(.get, "state")
      let counts = try Self.member("requests", of: state, isList: false)
      func count(_ name: String) -> Int { Int(clamping: counts[name]?.integer ?? 0) }
      return RequestCounts(all: count("all"), count)
    }
  }

  /// The installed faults. A test that never triggers a fault does not test the app's reaction to it.
  /// - Throws: `AuthflowError` if the platform does not respond.
  public var faults: [InstalledFault] {
    get async throws(AuthflowError) {
      let faults = try Self.member("faults", of: await control(.get, "faults"), isList: true)
      return (faults.array ?? []).map {
        InstalledFault(target: $0["at"]?.string ?? "", fired: Int($0["fired"]?.integer ?? 0))
      }
    }
  }

  /// The last thousand requests and their results, one request per line. Use the log to investigate failed tests. It
  /// contains no secrets.
  /// - Throws: `AuthflowError` if the platform does not respond.
  public var requestLog: [String] {
    get async throws(AuthflowError) {
      let entries = try Self.member("requests", of: await control(.get, "requests"), isList: true)
      return (entries.array ?? []).map { entry in
        let status = entry["status"]?.integer.map { "\($0)" } ?? "no answer"
        return [
          entry["method"]?.string, entry["url"]?.string, status, entry["code"]?.string, entry["decision"]?.string,
          entry["reason"]?.string.map { "(\($0))" },
        ].compactMap { $0 }.joined(separator: " ")
      }
    }
  }

  /// Returns a member of a control response.
  /// - Throws: An error if the member is missing or has a different type.
  package static func member(
    _ name: String, of state: JSON, isList: Bool
  ) throws(AuthflowError) -> JSON {
    if let member = state[name], isList ? member.array != nil : member.object != nil { return member }
    throw AuthflowError(
      "the control response does not contain `\(name)`", rule: "control", help: nil, about: "the control interface")
  }

  /// Sends a request to the control interface, which other programs also use.
  private func control(
    _ method: HTTPRequest.Method, _ path: String, body: JSON? = nil
  ) async throws(AuthflowError) -> JSON {
    guard
      let request = RequestMessage(
        method: method, url: "https://login.microsoftonline.com/_authflow/\(path)",
        headers: body == nil ? [:] : [.contentType: "application/json"],
        body: body.map { Array($0.text().utf8) } ?? [])
    else { return .null }
    let emulator = self.emulator
    let response = await time.run { await emulator.respond(to: request) }
    return try Self.answer(response.body, status: response.head.status.code, to: body?.text())
  }

  /// Decodes a control response.
  /// - Throws: An error if the status is not 200. The error contains the reported problems, or the status if the
  ///   response does not report any.
  package static func answer(_ body: [UInt8], status: Int, to asked: String?) throws(AuthflowError) -> JSON {
    let answer = (try? JSON(parsing: body)) ?? .null
    guard status == 200 else {
      let problems = answer["problems"]?.array?.compactMap(\.string) ?? []
      throw AuthflowError(
        (problems.isEmpty ? ["the control interface returned status \(status)"] : problems).map {
          Diagnostic(
            .error, rule: "event", $0, at: FileSpan(SourceText(name: "event", text: asked ?? ""), nil))
        })
    }
    return answer
  }
}
