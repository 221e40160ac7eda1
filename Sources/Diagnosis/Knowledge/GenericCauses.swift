import IdentityPlatform

/// Causes for codes in the error tables that no cause file describes.
enum GenericCauses {
  static func causes(besides known: [Cause]) -> [Cause] {
    // A code is covered if it alone is enough to determine a candidate.
    let sufficient = known.flatMap(\.recognizers).filter {
      $0.strength.weight >= Recognizer.Strength.medium.weight && $0.texts.isEmpty && $0.facts.count == 1
    }
    let covered = Set(sufficient.map { $0.facts[0].name })
    let services = AADSTS.all.map { entry in
      cause(
        "aadsts-\(entry.number)", fact: "aadsts:\(entry.number)", code: entry.code, meaning: entry.meaning,
        advice: entry.advice)
    }
    let policies = AADB2C.all.map { entry in
      cause(
        "aadb2c-\(entry.number)", fact: "aadb2c:\(entry.number)", code: entry.code, meaning: entry.meaning,
        advice: entry.advice)
    }
    let clients = MSALInternalErrorCode.allCases.map { entry in
      cause(
        "msal-internal\(entry.rawValue)", fact: "internal:\(entry.rawValue)", code: String(entry.rawValue),
        meaning: entry.meaning, explanation: entry.cause, advice: entry.advice)
    }
    let direct = MSALErrorCode.allCases.filter { $0 != .internal }.map { entry in
      cause(
        "msal\(entry.rawValue)", fact: "msal:\(entry.rawValue)", code: String(entry.rawValue), meaning: entry.meaning,
        explanation: entry.cause, advice: entry.advice, strength: .medium)
    }
    return (services + policies + clients + direct).filter { cause in
      cause.recognizers[0].facts.allSatisfy { !covered.contains($0.name) }
    }
  }

  private static func cause(
    _ id: String, fact: String, code: String, meaning: String, explanation: String? = nil, advice: String,
    strength: Recognizer.Strength = .strong
  ) -> Cause {
    var cause = Cause()
    cause.id = id
    cause.title = meaning
    cause.isGeneric = true
    cause.explanation = explanation ?? "The service returned \(code): \(meaning)."
    cause.recognizers = [Recognizer(facts: [FactPattern(fact)], strength: strength)]
    cause.codes = [code]
    cause.fix = ["default": advice]
    return cause
  }
}
