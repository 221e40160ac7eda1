import AppRegistration
import Diagnostics
import Documents

struct AndroidFilterIncomplete: Rule {
  let id = "android-filter-incomplete"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.redirectFilters.filter(\.activity.isMSALActivity).compactMap { _, filter in
      let missing = Self.missing(in: filter)
      guard !missing.isEmpty else { return nil }
      let lines = missing.map { "<\($0.element) android:name=\"\($0.name)\" />" }
      return finding(
        "intent filter without `\(missing.map(\.name).joined(separator: "`, `"))`",
        help: "add `\(lines.joined(separator: " "))`", at: filter.place, fix: Self.fix(filter, lines, missing))
    }
  }

  private static func missing(in filter: AndroidManifest.Filter) -> [(element: String, name: String)] {
    let required = [
      ("action", "android.intent.action.VIEW"), ("category", "android.intent.category.DEFAULT"),
      ("category", "android.intent.category.BROWSABLE"),
    ]
    let present = (filter.actions + filter.categories).map(\.value)
    return required.filter { !present.contains($0.1) }.map { (element: $0.0, name: $0.1) }
  }

  /// Returns a fix that inserts the missing categories before the first `<data>` element, with the same indentation.
  private static func fix(
    _ filter: AndroidManifest.Filter, _ lines: [String], _ missing: [(element: String, name: String)]
  ) -> Diagnostic.Fix? {
    guard missing.allSatisfy({ $0.element == "category" }), let first = filter.data.first?.place, let span = first.span
    else { return nil }
    let text = TextLines(xml: first.source)
    let start = text.lineStart(span.start)
    guard start > 0, text.isFirstOnLine(span.start) else { return nil }
    let lineEnd = text.text(text.beforeLineEnd(start)..<start)
    let indent = text.indentation(at: span.start)
    return Diagnostic.Fix(
      description: "add the missing category",
      edits: [.init(span: .at(span.start), replacement: lines.map { $0 + lineEnd + indent }.joined())])
  }
}
