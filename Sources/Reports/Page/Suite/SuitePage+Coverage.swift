import WorkflowModel

extension SuitePage {
  /// Returns the coverage of each workflow with the missing outcomes, starting with the lowest coverage.
  func coverage(_ records: [CoverageRecord]) -> Markup {
    let sorted = records.sorted { $0.all.percent < $1.all.percent }
    return tag("table", .class("table")) {
      tag("caption", .class("unseen")) { "Coverage of each workflow" }
      tag("thead") {
        tag("tr") {
          for name in ["Workflow", "Covered", "Steps", "Named outcomes", "Transitions", "Missing"] {
            tag("th", Attribute(.scope, "col")) { name }
          }
        }
      }
      tag("tbody") {
        for record in sorted {
          tag("tr") {
            tag("th", Attribute(.scope, "row")) { record.file }
            tag("td") {
              "\(record.all.percent) %"
              tag(
                "progress", .class("share"), Attribute(.max, "100"), Attribute(.value, "\(record.all.percent)"),
                .label("\(record.file): \(record.all.percent) % covered")
              ) {}
            }
            for share in [record.steps, record.outcomes, record.transitions] {
              tag("td", .class("n")) { "\(share.covered) / \(share.total)" }
            }
            tag("td") { missing(record) }
          }
        }
      }
    }
  }

  @MarkupBuilder private func missing(_ record: CoverageRecord) -> Markup {
    let entries = record.entries.map { ($0.id, CoverageText.missing($0)) }.filter { !$0.1.isEmpty }
    if entries.isEmpty {
      tag("span", .class("dim")) { "none" }
    } else {
      tag("ul", .class("missing")) {
        for (id, words) in entries { tag("li") { "\(id): \(words.joined(separator: ", "))" } }
      }
    }
  }
}
