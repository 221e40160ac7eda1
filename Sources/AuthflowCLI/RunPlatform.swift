import ArgumentParser
import WorkflowModel

/// The platform of a run as the command line says it: `emulated`, `live` or `replay:FILE`.
enum RunPlatform: ExpressibleByArgument, Hashable {
  case emulated, live
  /// The recording's path, as it is opened.
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

  /// The same in the workflow's own terms.
  var forWorkflow: Workflow.Platform {
    switch self {
    case .emulated: .emulated
    case .live: .live
    case .replay(let path): .replay(path)
    }
  }

  /// The name that traces and recordings have for it.
  var name: String {
    switch self {
    case .emulated: "emulated"
    case .live: "live"
    case .replay: "replay"
    }
  }

  /// The recording's path; nil for a platform that is there.
  var recording: String? {
    if case .replay(let path) = self { path } else { nil }
  }
}
