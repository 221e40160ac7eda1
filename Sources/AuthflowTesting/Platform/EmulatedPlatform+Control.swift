import Diagnostics
import Documents
import Effects
import Foundation
import HTTPTypes
import IdentityEmulator
import WorkflowModel

extension EmulatedPlatform {
  /// A fault that was laid, and how often it struck.
  public struct InstalledFault: Hashable, Sendable {
    /// Where it strikes, as it was written.
    public let target: String
    /// How many requests it struck.
    public let fired: Int
  }

  /// Makes these happen, in order.
  ///
  /// `wait` lets time pass for the clients too, as ``advance(by:)`` does. What is an app's own doing (`signedIn`,
  /// `cacheCorrupted`) is done with ``EmulatedPublicClient``.
  /// - Throws: `AuthflowError` where something is no event, or cannot happen; those before it did.
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

  /// How many requests came so far. Control requests and pages that only lead on are counted in `all` at most.
  /// - Throws: `AuthflowError` where the platform does not tell.
  public var requests: RequestCounts {
    get async throws(AuthflowError) {
      let told = try await control(.get, "state")
      let counts = try Self.member("requests", of: told, isList: false)
      func count(_ name: String) -> Int { Int(clamping: counts[name]?.integer ?? 0) }
      return RequestCounts(all: count("all"), count)
    }
  }

  /// The faults that were laid so far: one that never fired means that the test did not test what it says.
  /// - Throws: `AuthflowError` where the platform does not tell.
  public var faults: [InstalledFault] {
    get async throws(AuthflowError) {
      let faults = try Self.member("faults", of: await control(.get, "faults"), isList: true)
      return (faults.array ?? []).map {
        InstalledFault(target: $0["at"]?.string ?? "", fired: Int($0["fired"]?.integer ?? 0))
      }
    }
  }

  /// What was asked and what became of it, one line each, the last thousand: for a test that fails. Nothing secret stands
  /// in it.
  /// - Throws: `AuthflowError` where the platform does not tell.
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

  /// A member of what the control interface told.
  /// - Throws: where it is not there, or is not what it should be: nothing would then be told as if it were nothing.
  package static func member(
    _ name: String, of told: JSON, isList: Bool
  ) throws(AuthflowError) -> JSON {
    if let member = told[name], isList ? member.array != nil : member.object != nil { return member }
    throw AuthflowError(
      "the platform tells nothing of its \(name)", rule: "control", help: nil, about: "the control interface")
  }

  /// Asks the control interface, as any other program would.
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

  /// What the control interface answered.
  /// - Throws: each problem that it tells, or else the status, where that is not 200.
  package static func answer(_ body: [UInt8], status: Int, to asked: String?) throws(AuthflowError) -> JSON {
    let answer = (try? JSON(parsing: body)) ?? .null
    guard status == 200 else {
      let problems = answer["problems"]?.array?.compactMap(\.string) ?? []
      throw AuthflowError(
        (problems.isEmpty ? ["it answered \(status)"] : problems).map {
          Diagnostic(
            .error, rule: "event", $0, at: FileSpan(SourceText(name: "event", text: asked ?? ""), nil))
        })
    }
    return answer
  }
}
