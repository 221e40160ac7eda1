import Diagnosis
import Documents
import Foundation
import TestSupport
import Testing

/// The folder next to the repository with labeled logs from public projects, or nil if it does not exist.
private let corpusFolder: URL? = {
  guard let folder = OutsideCorpus.directory?.appending(path: "logs") else { return nil }
  return FileManager.default.fileExists(atPath: folder.appending(path: "expected.json").path) ? folder : nil
}()

@Suite(.enabled(if: corpusFolder != nil)) struct CorpusTests {
  private struct Case {
    var text: [UInt8]
    var cause: String
    var isDeterminable: Bool
  }

  private static func cases() throws -> [Case] {
    let folder = try #require(corpusFolder)
    let expected = try JSON(parsing: Array(Data(contentsOf: folder.appending(path: "expected.json"))))
    return try (expected["cases"]?.array ?? []).map { record in
      let file = try #require(record["file"]?.string)
      return Case(
        text: Array(try Data(contentsOf: folder.appending(path: file))), cause: record["root_cause"]?.string ?? "",
        isDeterminable: record["determinable"]?.string == "yes")
    }
  }

  private func main(_ text: [UInt8]) -> DiagnosedFailure? {
    var diagnoser = Diagnoser()
    diagnoser.add(text, named: "log")
    return diagnoser.result.main
  }

  @Test func `the knowledge base contains every cause in the corpus`() throws {
    for item in try Self.cases() { #expect(KnowledgeBase.shipped.cause(item.cause) != nil, "\(item.cause)") }
  }

  @Test func `determines the labeled cause if the text allows it`() throws {
    let cases = try Self.cases()
    let determinable = cases.filter(\.isDeterminable)
    let results = cases.map { main($0.text) }
    let right = zip(cases, results).count { $0.isDeterminable && $1?.cause?.id == $0.cause }
    let wrong = zip(cases, results).count { $1?.cause != nil && $1?.cause?.id != $0.cause }
    #expect(Double(right) >= 0.9 * Double(determinable.count), "\(right) of \(determinable.count)")
    #expect(Double(wrong) <= 0.04 * Double(cases.count), "\(wrong) of \(cases.count)")
  }

  @Test func `finds the same cause despite unrelated lines and other line breaks`() throws {
    let noise = (0..<40).map { "2024-01-01 00:00:00 DEBUG app: frame \($0) rendered in 12 ms" }.joined(
      separator: "\r\n")
    for item in try Self.cases() where item.isDeterminable {
      guard let cause = main(item.text)?.cause?.id else { continue }
      let text = String(decoding: item.text, as: UTF8.self).replacing("\n", with: "\r\n")
      let noisy = Array((noise + "\r\n" + text + "\r\n" + noise).utf8)
      #expect(main(noisy)?.candidates.first?.cause.id == cause, "\(item.cause)")
    }
  }
}
