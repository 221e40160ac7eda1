import Effects
import OrderedCollections
import RunTrace

extension BrowserOutcome {
  /// Returns the members of the `interaction` event that ends a visit. Omits the final URL, because the URL contains
  /// secrets.
  func traceMembers(purpose: BrowserVisit.Purpose) -> OrderedDictionary<String, TraceValue> {
    let (ending, reason): (String, String?) =
      switch result {
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
