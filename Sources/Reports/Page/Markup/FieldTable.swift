/// A table of parameters, headers, claims, or cache entry fields, with their values and meanings.
struct FieldTable {
  struct Row {
    var name: String
    var value: Markup
    var meaning: String?
    var isChanged = false
  }

  var caption: String
  /// The heading of the name column, such as `claim` or `field`.
  var kind = "name"
  var rows: [Row]

  var markup: Markup {
    tag("table", .class("fields")) {
      tag("caption") { caption }
      tag("thead", .class("unseen")) {
        tag("tr") { for name in [kind, "value", "meaning"] { tag("th", Attribute(.scope, "col")) { name } } }
      }
      tag("tbody") { for row in rows { markup(of: row) } }
    }
  }

  private func markup(of row: Row) -> Markup {
    tag("tr", .class(row.isChanged ? "changed" : "")) {
      tag("th", Attribute(.scope, "row")) { row.name }
      tag("td") { row.value }
      tag("td") { row.meaning ?? "" }
    }
  }
}
