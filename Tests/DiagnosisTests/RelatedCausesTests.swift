import Diagnosis
import Testing

@Suite struct RelatedCausesTests {
  private func candidates(_ text: String) -> [String] {
    Diagnoser.result(of: text).main?.candidates.map(\.cause.id) ?? []
  }

  @Test(arguments: [
    ("Error: AADSTS50011", "redirect-uri-bundle-id-mismatch"), ("Error: AADSTS700016", "client-id-placeholder"),
    ("Error: AADSTS50012", "clock-skew"),
  ]) func `lists other causes for a code`(text: String, cause: String) {
    #expect(candidates(text).contains(cause), "\(candidates(text))")
  }

  @Test func `ranks causes with matching recognizers first`() throws {
    let main = try #require(Diagnoser.result(of: "Error: AADSTS50011").main)
    #expect(main.candidates.first?.cause.id == "redirect-uri-not-registered")
    #expect(!main.isDetermined)
    let confidences = main.candidates.map(\.confidence)
    #expect(confidences == confidences.sorted(by: >))
  }

  @Test func `lists few other causes if the message identifies its cause`() {
    let text =
      "AADSTS7000222: The provided client secret keys for app '11111111-2222-3333-4444-555555555555' are expired."
    #expect(candidates(text).first == "client-secret-expired")
    #expect(candidates(text).count <= 2)
  }
}
