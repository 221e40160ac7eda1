import Diagnostics

/// What became of reading a trace.
package struct TraceReadResult: Sendable {
  /// Nil where the file is no trace at all; then an error says so.
  package var story: TracedRun?
  /// What is wrong with the file. A story that could be read has notes and warnings at most.
  package var diagnostics: [Diagnostic]
  /// How many events were read.
  package var events: Int
}
