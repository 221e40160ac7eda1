import Documents
import Effects
import Reports

/// Tells what a suite came to, in the form that was asked for, and ends the command accordingly.
struct SuiteOutput {
  let session: Session
  let format: OutputFormat
  let isQuiet: Bool
  let isVerbose: Bool

  func tell(_ suite: SuiteRecord) throws(ExitStatus) {
    switch format {
    case .json: session.say(SuiteJSON.json(suite).text(pretty: true))
    case .text: tellPeople(suite)
    }
    switch suite.ending {
    case .interrupted: throw .interrupted
    case .complete, .stopped: if !suite.failures.isEmpty { throw .failed }
    }
  }

  private func tellPeople(_ suite: SuiteRecord) {
    let text = SuiteText(style: session.style(for: .output))
    for test in suite.tests {
      if test.failure != nil {
        session.say(text.failure(test) + "\n")
      } else if isVerbose {
        session.say(text.line(test))
      }
    }
    if !isQuiet || !suite.hasPassed { session.say(text.summary(suite)) }
  }
}
