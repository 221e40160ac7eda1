import Diagnostics
import Documents
import Effects

/// A parsed recording. All strings contain placeholders instead of secrets.
package struct Recording: Sendable {
  /// The format version. The first line contains the version under the `recording` key.
  package static let version = 1
  /// The maximum size of a recording in bytes.
  package static let limit = 256 << 20

  /// The start time of the recording.
  package var recordedAt: Instant
  /// The name and version of the tool that created the recording, such as `authflow 0.1.0`.
  package var tool: String
  /// The recorded platform: `emulated`, `live`, or `replay`.
  package var platform: String
  var entries: [Entry] = []
  /// The entries by method and URL. The reader sets this index after it has read all lines.
  var index = RecordingIndex([])
  /// The metadata of secrets by label. If a label has several definitions, the first definition applies.
  var issued: [String: IssuedSecret] = [:]
  /// The labels of tokens whose signatures do not match the provider's keys.
  var badlySigned: Set<String> = []
  let source: SourceText

  init(recordedAt: Instant, tool: String, platform: String, source: SourceText = SourceText(name: "", bytes: [])) {
    self.recordedAt = recordedAt
    self.tool = tool
    self.platform = platform
    self.source = source
  }

  /// The name of the recording file.
  package var name: String { source.name }

  /// The number of exchanges and visits.
  package var count: Int { entries.count }

  /// A recorded exchange or visit and its location in the file.
  struct Entry: Sendable {
    enum Content: Sendable {
      case exchange(RecordedRequest, RecordedResponse)
      case visit(RecordedVisit)
    }

    /// The time since the start of the recording.
    var at: Duration
    var took: Duration
    var content: Content
    /// The line in the recording file.
    var span: SourceSpan
  }
}

/// A recorded request.
struct RecordedRequest: Hashable, Sendable {
  var method: String
  /// The URL without its query or fragment.
  var url: String
  var query: RecordedFields = [:]
  var headers: RecordedFields = [:]
  var body: RecordedBody = .none
}

/// Field values by name. The values of a field keep their order.
typealias RecordedFields = [String: [String]]

enum RecordedBody: Hashable, Sendable {
  case none
  case form(RecordedFields)
  case json(JSON)
  case text(String)
  case base64(String)
}

/// A recorded response or failure.
enum RecordedResponse: Hashable, Sendable {
  case response(status: Int, headers: RecordedFields, body: RecordedBody)
  case failure(kind: String, reason: String)
}

/// A recorded browser visit: the page that the app opened and the result. The recording does not contain the pages in
/// between.
struct RecordedVisit: Hashable, Sendable {
  enum Result: Hashable, Sendable {
    /// A redirect to a base URL with parameters.
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
  var ending: Result
  var screens: [String] = []
  var pageError: String?
}

/// The metadata of a secret. A replay uses this metadata to issue a similar secret.
struct IssuedSecret: Hashable, Sendable {
  /// A JSON Web Token without its signature.
  struct Token: Hashable, Sendable {
    var header: JSON
    var claims: JSON
  }

  var token: Token?
  /// The length of an opaque secret, in bytes.
  var length: Int?
  /// The format of a short secret, such as a user code: `A` and `a` for letters, `9` for digits.
  var shape: String?
}
