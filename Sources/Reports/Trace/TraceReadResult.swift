import Diagnostics

/// The result of reading a trace.
package struct TraceReadResult: Sendable {
  /// The run, or nil if the file is not a trace. If it is nil, `diagnostics` contains an error.
  package var tracedRun: TracedRun?
  /// The findings. If the trace is readable, the findings are only notes and warnings.
  package var diagnostics: [Diagnostic]
  /// The number of events.
  package var events: Int
}
