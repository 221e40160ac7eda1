import Documents

/// Complete pages inside another page, in a compressed format. The outer page's script expands a page when the user
/// opens it.
///
/// Run pages consist mostly of identical markup. The archive splits each page at its tags and stores each distinct
/// piece once. A page is a sequence of phrases: a phrase is an earlier phrase plus one piece (Ziv and Lempel 1978). All
/// pages share the phrases, so a report with hundreds of scenarios stays small, and the script can expand a single
/// page.
package struct PageArchive: Sendable {
  /// A range of phrases. Its first phrase starts the page.
  struct Page: Sendable {
    var title: String
    var phrases: Range<Int>
  }

  private struct Phrase: Hashable {
    /// The number of the earlier phrase, starting at 1, or 0 for none.
    var prefix: Int32
    var piece: Int32
  }

  private(set) var pages: [Page] = []
  /// The style sheets of the frames in the pages, which the policy of the outer page must allow.
  private(set) var frameStyles: [PageAsset] = []
  private let table: PieceTable
  /// The numbers of the pieces in the table, in the order of their first use.
  private var pieces: [Int32] = []
  private var pieceNumbers: [Int32: Int32] = [:]
  private var phrases: [Phrase] = []
  private var phraseNumbers: [Phrase: Int32] = [:]

  /// - Parameter table: The table that contains the pieces of the pages.
  package init(_ table: PieceTable = PieceTable()) { self.table = table }

  package var isEmpty: Bool { pages.isEmpty }

  /// Adds an HTML document.
  package mutating func append(_ html: String, named title: String) { append(table.pieces(of: html), named: title) }

  /// Adds a run page.
  package mutating func append(_ page: RunPage, named title: String) { append(table.pieces(of: page), named: title) }

  /// Adds an HTML document whose pieces are in the table.
  package mutating func append(_ document: PieceTable.Pieces, named title: String) {
    for style in document.frameStyles where !frameStyles.contains(where: { $0.text == style.text }) {
      frameStyles.append(style)
    }
    let start = phrases.count
    var prefix: Int32 = 0
    for piece in document.numbers {
      let phrase = Phrase(prefix: prefix, piece: number(of: piece))
      if let known = phraseNumbers[phrase] {
        prefix = known
      } else {
        phrases.append(phrase)
        phraseNumbers[phrase] = Int32(phrases.count)
        prefix = 0
      }
    }
    // The rest of the page matches an existing phrase, so repeat this phrase.
    if prefix > 0 { phrases.append(phrases[Int(prefix) - 1]) }
    pages.append(Page(title: title, phrases: start..<phrases.count))
  }

  private mutating func number(of piece: Int32) -> Int32 {
    if let number = pieceNumbers[piece] { return number }
    let number = Int32(pieces.count)
    pieces.append(piece)
    pieceNumbers[piece] = number
    return number
  }

  /// Expands a page, as the script does.
  package func html(_ position: Int) -> String {
    let texts = table.texts(of: pieces)
    return pages[position].phrases.map { index in
      var text: [String] = []
      var number = Int32(index + 1)
      while number > 0 {
        let phrase = phrases[Int(number) - 1]
        text.append(texts[Int(phrase.piece)])
        number = phrase.prefix
      }
      return text.reversed().joined()
    }.joined()
  }

  // MARK: The data in the page

  /// The pieces as a JSON list.
  private var piecesData: String { JSON.array(table.texts(of: pieces).map { .string($0) }).text() }

  /// The phrases as text, with eight characters for each: the earlier phrase and the piece in base 64.
  private var phrasesData: String {
    var text: [UInt8] = []
    text.reserveCapacity(phrases.count * 8)
    for phrase in phrases {
      for number in [phrase.prefix, phrase.piece] {
        for shift in stride(from: 18, through: 0, by: -6) { text.append(Self.digits[Int(number >> shift & 63)]) }
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The title of each page with the number of its first phrase and the number after its last phrase.
  private var pagesData: String {
    JSON.array(
      pages.map { page in
        [.string(page.title), .integer(Int64(page.phrases.lowerBound)), .integer(Int64(page.phrases.upperBound))]
      }
    ).text()
  }

  // MARK: Markup

  static let style = PageAsset(kind: .style, text: EmbeddedData.text("suite.css") ?? "")
  static let script = PageAsset(kind: .script, text: EmbeddedData.text("suite.js") ?? "")

  /// The page data, and the dialog in which the script shows pages.
  var markup: Markup {
    Markup.data(PageAnchor("archive-pages"), pagesData) + Markup.data(PageAnchor("archive-pieces"), piecesData)
      + Markup.data(PageAnchor("archive-phrases"), phrasesData)
      + tag("dialog", .id(PageAnchor("viewer")), .label("Runs")) {
        tag("div", .class("viewer-bar")) {
          tag("button", .id(PageAnchor("viewer-close")), Attribute(.type, "button")) { "Close" }
        }
        tag("div", .class("panels")) {
          for _ in 0..<2 {
            tag("div", .class("panel")) {
              tag("h2", .class("panel-name")) {}
              tag("iframe", .title("Run")) {}
            }
          }
        }
      }
  }

  /// Returns a button that opens pages side by side. The script makes it visible.
  /// - Parameter positions: The positions of one or two pages.
  static func button(_ words: String, opening positions: [Int], label: String) -> Markup {
    tag(
      "button", .class("run"), Attribute(.type, "button"),
      Attribute(.dataRuns, positions.map(String.init).joined(separator: " ")), .label(label), .has(.hidden)
    ) { words }
  }
}
