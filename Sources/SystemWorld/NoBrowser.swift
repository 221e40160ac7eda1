import Effects

/// No browser: `--browser none`, and places where none can be opened.
package struct NoBrowser: Browser {
  private let reason: String

  package init(reason: String = "no browser is available (--browser none)") {
    self.reason = reason
  }

  package func visit(_ visit: BrowserVisit) async -> BrowserOutcome {
    BrowserOutcome(.unavailable(reason: reason))
  }
}
