import Diagnostics

/// Pairs of runs as a self-contained HTML page, which shows the first difference and both runs side by side.
package struct ComparisonPage: Sendable {
  /// The two runs of a scenario or workflow. One of them can be missing.
  package struct Pair: Sendable {
    package var name: String
    package var left: TracedRun?
    package var right: TracedRun?

    package init(name: String, left: TracedRun?, right: TracedRun?) {
      self.name = name
      self.left = left
      self.right = right
    }

    /// The comparison, or nil if a run is missing.
    package var comparison: RunComparison? {
      guard let left, let right else { return nil }
      return RunComparison(left, right)
    }
  }

  private let names: (left: String, right: String)
  private let tool: String
  /// The pairs that differ, with the positions of their pages in the archive.
  private let different: [(pair: Pair, comparison: RunComparison?, pages: [Int])]
  private let equalCount: Int
  private let archive: PageArchive

  package init(_ pairs: [Pair], names: (left: String, right: String), tool: String) {
    self.names = names
    self.tool = tool
    var archive = PageArchive()
    var different: [(pair: Pair, comparison: RunComparison?, pages: [Int])] = []
    for pair in pairs {
      let comparison = pair.comparison
      if let comparison, comparison.parting == nil { continue }
      var pages: [Int] = []
      for (run, name) in [(pair.left, names.left), (pair.right, names.right)] {
        guard let run else { continue }
        pages.append(archive.pages.count)
        archive.append(RunPage(tracedRun: run), named: "\(name): \(pair.name)")
      }
      different.append((pair, comparison, pages))
    }
    self.different = different
    equalCount = pairs.count - different.count
    self.archive = archive
  }

  /// Returns the complete HTML document.
  package func html() -> String {
    let words = different.isEmpty ? "equal" : "\(different.count.counting("difference"))"
    return PageFrame(
      title: "\(words): \(names.left) and \(names.right)",
      heading: tag("div", .class("headline")) {
        tag("h1") { "\(names.left) and \(names.right)" }
        RunPage.Verdict(
          sign: different.isEmpty ? "✓" : "≠", words: words, kind: different.isEmpty ? "good" : "open"
        ).badge
      },
      parts: [.init(PageAnchor("differences"), "Differences", count: different.count) { differences }],
      searched: "differences",
      footer: tag("p") { "Created by \(tool). This file contains no tokens or passwords." },
      archive: archive.isEmpty ? nil : archive
    ).html()
  }

  private var differences: Markup {
    tag("div") {
      tag("p", .class("dim")) { "\(equalCount.counting("run")) without differences. Times are not compared." }
      tag("ol", .class("items"), Attribute(.dataPart, "differences")) {
        for (position, entry) in different.enumerated() {
          tag("li") {
            tag("details", .class("item"), position < 10 ? .has(.open) : .class("")) {
              tag("summary") {
                tag("span", .class("name")) { entry.pair.name }
                tag("span", .class("means")) { entry.comparison?.headline ?? missing(entry.pair) }
              }
              tag("div", .class("inside")) {
                PageArchive.button(
                  entry.pages.count == 2 ? "Open both runs" : "Open the run", opening: entry.pages,
                  label: "Open the runs of \(entry.pair.name)")
                if let comparison = entry.comparison { table(comparison) }
              }
            }
          }
        }
      }
    }
  }

  private func missing(_ pair: Pair) -> String { "only in \(pair.left == nil ? names.right : names.left)" }

  private func table(_ comparison: RunComparison) -> Markup {
    tag("table", .class("paths compared")) {
      tag("caption", .class("unseen")) { "Steps of both runs" }
      tag("thead") {
        tag("tr") {
          for name in ["", names.left, names.right] { tag("th", Attribute(.scope, "col")) { name } }
        }
      }
      tag("tbody") {
        for (position, row) in comparison.path.rows.enumerated() {
          let isParting = position == comparison.parting
          tag("tr", .class(isParting ? "off first" : row.kind == .same ? "" : "off")) {
            tag("td") { isParting ? "▶" : row.kind == .same ? "" : "≠" }
            tag("td") { row.expected ?? "(nothing)" }
            tag("td") { row.actual ?? "(nothing)" }
          }
          if isParting {
            let details = comparison.details(ofRow: position)
            tag("tr") {
              tag("td") {}
              for list in [details.left, details.right] { tag("td") { markup(list) } }
            }
          }
        }
      }
    }
  }

  @MarkupBuilder private func markup(_ details: [RunComparison.Detail]) -> Markup {
    tag("ul") {
      for detail in details {
        tag("li") {
          if detail.differs {
            tag("b") { "≠ " + detail.text }
          } else {
            tag("span", .class("dim")) { detail.text }
          }
        }
      }
    }
  }
}
