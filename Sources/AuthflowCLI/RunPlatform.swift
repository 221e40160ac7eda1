import ArgumentParser
import WorkflowModel

/// The value of `--platform`: `emulated`, `live`, or `replay:FILE`.
enum RunPlatform: ExpressibleByArgument, Hashable {
  case emulated, live
  /// Replays the recording at this path.
  case replay(String)

  private static let replayPrefix = "replay:"

  init?(argument: String) {
    switch argument {
    case "emulated": self = .emulated
    case "live": self = .live
    default:
      guard argument.hasPrefix(Self.replayPrefix), argument.utf8.count > Self.replayPrefix.utf8.count else {
        return nil
      }
      self = .replay(String(argument.dropFirst(Self.replayPrefix.count)))
    }
  }

  static let allValueStrings = ["emulated", "live", "replay:FILE"]
  static let defaultCompletionKind = CompletionKind.list(["emulated", "live", replayPrefix])

  /// The corresponding platform in a workflow.
  var forWorkflow: Workflow.Platform {
    switch self {
    case .emulated: .emulated
    case .live: .live
    case .replay(let path): .replay(path)
    }
  }

  /// The name of the platform in traces and recordings.
  var name: String {
    switch self {
    case .emulated: "emulated"
    case .live: "live"
    case .replay: "replay"
    }
  }

  /// The path of the replayed recording, if any.
  var recording: String? {
    if case .replay(let path) = self { path } else { nil }
  }
}
