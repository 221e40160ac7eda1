import Diagnosis
import Diagnostics
import Testing

@Suite struct KnowledgeTests {
  @Test func `all cause files and the sign file decode without problems`() {
    let problems = KnowledgeBase.shipped.diagnostics.map { CaretFrame(color: false).render($0) }
    #expect(problems == [])
  }

  @Test func `discriminators refer to existing causes`() {
    for cause in KnowledgeBase.shipped.causes {
      for discriminator in cause.discriminators {
        #expect(KnowledgeBase.shipped.cause(discriminator.cause) != nil, "\(cause.id): \(discriminator.cause)")
      }
    }
  }
}
