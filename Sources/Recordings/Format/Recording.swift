import Diagnostics
import Documents
import Effects

/// A recorded exchange: what stands in a recording, as values. Every text is as the recording has it, with placeholders for secrets.
package struct Recording: Sendable {
  /// The version of the format that the first line carries in `recording`.
  package static let version = 1
  /// The largest recording that is read, in bytes.
  package static let limit = 256 << 20

  /// When recording began.
  package var recordedAt: Instant
  /// The program that recorded it, such as `authflow 0.1.0`.
  package var tool: String
  /// The platform that was recorded: `emulated`, `live` or `replay`.
  package var platform: String
  var entries: [Entry] = []
  /// Where they are found; made when all of them are there.
  var index = RecordingIndex([])
  /// What is known of each placeholder's secret, by label; what was told first counts.
  var issued: [String: IssuedSecret] = [:]
  /// Tokens whose signature was not made by the key that they name.
  var badlySigned: Set<String> = []
  let source: SourceText

  init(recordedAt: Instant, tool: String, platform: String, source: SourceText = SourceText(name: "", bytes: [])) {
    self.recordedAt = recordedAt
    self.tool = tool
    self.platform = platform
    self.source = source
  }

  /// The name of the file that it was read from.
  package var name: String { source.name }

  /// How many exchanges and visits it holds.
  package var count: Int { entries.count }

  /// One recorded thing, and where it stands.
  struct Entry: Sendable {
    enum Content: Sendable {
      case exchange(RecordedRequest, RecordedResponse)
      case visit(RecordedVisit)
    }

    /// From the beginning of the recording.
    var at: Duration
    var took: Duration
    var content: Content
    /// In the recording's bytes.
    var span: SourceSpan
  }
}

/// A request as it stands in a recording.
struct RecordedRequest: Hashable, Sendable {
  var method: String
  /// Without query and fragment.
  var url: String
  var query: RecordedFields = [:]
  var headers: RecordedFields = [:]
  var body: RecordedBody = .none
}

/// Fields by name, each with its values in order.
typealias RecordedFields = [String: [String]]

enum RecordedBody: Hashable, Sendable {
  case none
  case form(RecordedFields)
  case json(JSON)
  case text(String)
  case base64(String)
}

/// What came back.
enum RecordedResponse: Hashable, Sendable {
  case response(status: Int, headers: RecordedFields, body: RecordedBody)
  case failure(kind: String, reason: String)
}

/// One visit of the browser: where it was sent, and how it ended. The pages in between are the user's affair.
struct RecordedVisit: Hashable, Sendable {
  enum Ending: Hashable, Sendable {
    /// The URL without its query and fragment, and their parameters.
    case redirected(url: String, query: RecordedFields, fragment: RecordedFields)
    case closed(String)
    case unavailable(String)
    case failed(kind: String, reason: String)
    case finished
  }

  var purpose: String
  var request: RecordedRequest
  var redirectURI: String?
  var ephemeral = false
  var ending: Ending
  var screens: [String] = []
  var pageError: String?
}

/// What a recording tells of a secret, so that one like it can be issued anew.
struct IssuedSecret: Hashable, Sendable {
  /// A JSON Web Token: everything but its signature.
  struct Token: Hashable, Sendable {
    var header: JSON
    var claims: JSON
  }

  var token: Token?
  /// The length in bytes of what cannot be looked into.
  var length: Int?
  /// Letters as `A` and `a`, digits as `9`, where the form matters: a code that a user types.
  var shape: String?
}
