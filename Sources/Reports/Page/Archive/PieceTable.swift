import Synchronization

/// The pieces of pages. Each distinct piece is stored once, so that the pages use little memory. Concurrent tasks can
/// add pages.
package final class PieceTable: Sendable {
  /// A page as a list of piece numbers.
  package struct Pieces: Sendable {
    let numbers: [Int32]
    /// The style sheets of the frames in the page.
    let frameStyles: [PageAsset]
  }

  private struct State {
    var texts: [String] = []
    var numbers: [String: Int32] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// Splits a run page and stores its pieces.
  package func pieces(of page: RunPage) -> Pieces { pieces(of: page.html(), frameStyles: page.frameStyles) }

  /// Splits an HTML document and stores its pieces.
  func pieces(of html: String, frameStyles: [PageAsset] = []) -> Pieces {
    let split = Self.split(html)
    return state.withLock { state in
      Pieces(
        numbers: split.map { piece in
          if let number = state.numbers[piece] { return number }
          let number = Int32(state.texts.count)
          state.texts.append(piece)
          state.numbers[piece] = number
          return number
        }, frameStyles: frameStyles)
    }
  }

  func texts(of numbers: [Int32]) -> [String] {
    state.withLock { state in numbers.map { state.texts[Int($0)] } }
  }

  /// Splits a document before each tag, including the escaped tags of documents in attributes.
  private static func split(_ html: String) -> [String] {
    let bytes = Array(html.utf8)
    let escaped = Array("&lt;".utf8)
    var pieces: [String] = []
    var start = 0
    for index in bytes.indices.dropFirst()
    where bytes[index] == UInt8(ascii: "<")
      || bytes[index] == UInt8(ascii: "&") && bytes[index...].starts(with: escaped)
    {
      pieces.append(String(decoding: bytes[start..<index], as: UTF8.self))
      start = index
    }
    pieces.append(String(decoding: bytes[start...], as: UTF8.self))
    return pieces
  }
}
