import Effects

/// A browser that does not open pages, for `--browser none` and systems without a browser.
package struct NoBrowser: Browser {
  private let reason: String

  package init(reason: String = "no browser is available (--browser none)") {
    self.reason = reason
  }

  package func visit(_ visit: BrowserVisit) async -> BrowserOutcome {
    BrowserOutcome(.unavailable(reason: reason))
  }
}
