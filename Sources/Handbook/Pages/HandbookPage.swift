import OrderedCollections

/// A documentation page, as Markdown for programs that cannot open the website.
///
/// The folders `Guide`, `Recipes`, and `Reference` in `Data` are links to the documentation catalog.
package struct HandbookPage: Sendable {
  /// The file name without the extension, such as `WritingWorkflows`.
  package let name: String
  package let title: String
  /// The first paragraph.
  package let summary: String
  package let markdown: String

  /// All pages, sorted by folder and name.
  package static let all: [HandbookPage] = {
    let paths = ["Guide/", "Recipes/", "Reference/"].flatMap { EmbeddedData.paths(in: $0) }
    return paths.filter { $0.hasSuffix(".md") }.compactMap { path in
      EmbeddedData.text(path).map { HandbookPage(path: path, text: $0) }
    }
  }()

  package static func named(_ name: String) -> HandbookPage? { all.first { $0.name == name } }

  private init(path: String, text: String) {
    let file = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    name = String(file.dropLast(".md".count))
    // The sources link to pages by name. Only the documentation compiler resolves such links.
    markdown = text.replacing(/<doc:([^>]+)>/) { link in
      link.1.hasPrefix("/") ? "\(link.1)" : "[\(link.1)](authflow://handbook/\(link.1))"
    }
    let paragraphs = markdown.split(separator: "\n\n", maxSplits: 2)
    title = paragraphs.first.map { String($0.drop { $0 == "#" || $0 == " " }) } ?? name
    summary = paragraphs.count > 1 ? paragraphs[1].split(separator: "\n").joined(separator: " ") : ""
  }
}
