import Documents
import IdentityPlatform

extension GlossaryEntry {
  /// The JSON that `explain --format json` prints.
  package var json: JSON {
    var json: JSON = [
      "topic": .string(topic.rawValue), "name": .string(name), "verdict": .string(verdictLine),
      "meaning": .string(meaning), "advice": .string(advice),
      "spellings": .array(spellings.map { .string($0) }), "related": .array(related.map { .string($0) }),
      "facts": .array(facts.map { ["label": .string($0.label), "text": .string($0.text)] }),
      "workflows": .array(
        ShippedWorkflow.showing(self).map {
          ["file": .string($0.file), "title": .string($0.title), "scenario": .string($0.scenario)]
        }),
    ]
    if let number { json["number"] = .integer(Int64(number)) }
    if let cause { json["cause"] = .string(cause) }
    if let reaction { json["msal"] = .string(reaction) }
    return json
  }
}

extension UnknownSignInCode {
  package var json: JSON {
    var json: JSON = ["code": .string(code.code), "words": .array(words.map { .string($0) })]
    if let page { json["page"] = .string(page) }
    return json
  }
}

extension PastedText {
  /// The JSON that `explain - --format json` prints.
  package var json: JSON {
    func list(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }
    return [
      "found": .array(entries.map(\.json)), "unlisted": .array(unlisted.map(\.json)),
      "correlationIds": list(correlationIDs), "traceIds": list(traceIDs), "timestamps": list(timestamps),
      "httpStatuses": .array(httpStatuses.map { .integer(Int64($0)) }),
    ]
  }
}
