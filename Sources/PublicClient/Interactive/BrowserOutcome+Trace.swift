import Effects
import OrderedCollections
import RunTrace

extension BrowserOutcome {
  /// The members of the `interaction` event that tells how a visit ended. The address that was reached holds secrets and
  /// is left out.
  func traceMembers(purpose: BrowserVisit.Purpose) -> OrderedDictionary<String, TraceValue> {
    let (ending, reason): (String, String?) =
      switch ending {
      case .redirected: ("redirected", nil)
      case .closed(let reason): ("closed", reason)
      case .unavailable(let reason): ("unavailable", reason)
      case .failed(let failure): ("failed", failure.explanation)
      case .finished: ("finished", nil)
      }
    return [
      "phase": "ended", "purpose": TraceValue(purpose.rawValue), "ending": TraceValue(ending),
      "reason": TraceValue(reason),
      "screens": TraceValue(screens), "pageError": TraceValue(pageError),
    ]
  }
}
