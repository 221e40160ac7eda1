import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import LanguageService
import OAuth
import Scenarios
import WorkflowRunner

/// Starts an emulator with a directory, and returns its address, such as `http://localhost:8443`.
package typealias EmulatorStarter =
  @Sendable (EmulatedDirectory) async throws(EmulatorStartFailure) -> String

/// The reason why no emulator started.
package struct EmulatorStartFailure: Error, Sendable {
  package var explanation: String

  package init(_ explanation: String) { self.explanation = explanation }
}

// The emulator whose requests the studio shows. The page is the emulator's start page with its scripts. The studio
// forwards the page's control requests to the emulator, but serves its own copy of the page, so that a different
// program at the emulator's address cannot run scripts in the studio.

extension StudioServer {
  /// The address of the emulator, and whether the studio can start one.
  var emulatorJSON: JSON {
    ["address": emulator.map { .string($0) } ?? .null, "canStart": .bool(starter != nil)]
  }

  /// Starts an emulator with the directory of a workflow, or with the built-in directory.
  func startEmulator(_ body: JSON) async throws(StudioError) -> JSON {
    guard let starter else { throw StudioError(.notFound, "this studio cannot start an emulator") }
    guard beginAttachment() else { throw StudioError(.conflict, "an emulator is already attached or starting") }
    let loaded = body["path"]?.string.flatMap { workspace.snapshot().loadWorkflow($0).0 }
    do throws(EmulatorStartFailure) {
      endAttachment(try await starter(loaded?.situation.directory ?? .contoso))
    } catch {
      endAttachment(nil)
      throw StudioError(.internalServerError, "cannot start an emulator: \(error.explanation)")
    }
    return emulatorJSON
  }

  /// Returns the emulator's page or one of its files, or nil for other paths.
  func emulatorPage(at path: String) -> ResponseMessage? {
    if path == "/emulator", let emulator {
      return Self.response(
        .ok, StartPageDocument.attached(to: emulator), type: "text/html", [:],
        policy: Self.policy.replacing("frame-ancestors 'none'", with: "frame-ancestors 'self'"))
    }
    guard path.hasPrefix("/_page/"), let file = StartPageDocument.file(String(path.dropFirst("/_page/".count))) else {
      return nil
    }
    return Self.response(.ok, file.text, type: file.type, [:])
  }

  static let controlPath = "/_authflow/"

  /// Forwards a control request from the page to the emulator.
  func control(_ request: RequestMessage) async -> ResponseMessage {
    guard let emulator else { return Self.controlProblem(.notFound, "no emulator is attached to the studio") }
    var fields: HTTPFields = [.accept: "application/json"]
    fields[.contentType] = request.head.headerFields[.contentType]
    guard
      let message = RequestMessage(
        method: request.head.method, url: emulator + (request.head.path ?? "/"), headers: fields, body: request.body)
    else { return Self.controlProblem(.badRequest, "the request is not valid") }
    do throws(TransportFailure) {
      let response = try await world.http.send(message)
      guard response.head.headerFields[.contentType]?.lowercased().hasPrefix("application/json") == true else {
        return Self.controlProblem(.badGateway, "the program at \(emulator) is not an emulator")
      }
      return Self.response(
        response.head.status, String(decoding: response.body, as: UTF8.self), type: "application/json", [:])
    } catch {
      return Self.controlProblem(.badGateway, error.explanation)
    }
  }

  /// Returns an error in the format of the control interface.
  private static func controlProblem(_ status: HTTPResponse.Status, _ message: String) -> ResponseMessage {
    response(status, (["version": 1, "problems": [.string(message)]] as JSON).text(), type: "application/json", [:])
  }
}
