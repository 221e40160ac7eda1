import Diagnostics
import Documents
import OrderedCollections

/// All known causes, with an index of their phrases.
package struct KnowledgeBase: Sendable {
  /// The causes, sorted by ID.
  package let causes: [Cause]
  /// The phrases that indicate facts about the context, such as the platform.
  let signs: [Sign]
  /// The phrases in library logs that indicate a decision.
  let decisions: [Decision]
  let index: PhraseIndex
  /// Problems in the data files. A test verifies that there are none.
  package let diagnostics: [Diagnostic]

  /// The causes and signs from the files in `Data`.
  package static let shipped: KnowledgeBase = {
    var diagnostics: [Diagnostic] = []
    var causes: [Cause] = []
    for path in EmbeddedData.paths(in: "causes/") where path.hasSuffix(".yaml") {
      let id = String(path.dropFirst("causes/".count).dropLast(".yaml".count))
      let (cause, problems) = CauseDecoder.read(EmbeddedData.text(path) ?? "", id: id)
      diagnostics += problems
      if let cause { causes.append(cause) }
    }
    let (signs, problems) = Sign.read(EmbeddedData.text("signs.yaml") ?? "")
    return KnowledgeBase(
      causes: causes, signs: signs, decisions: Decision.read(EmbeddedData.text("decisions.txt") ?? ""),
      diagnostics: diagnostics + problems)
  }()

  init(causes: [Cause], signs: [Sign], decisions: [Decision] = [], diagnostics: [Diagnostic] = []) {
    self.causes = causes + GenericCauses.causes(besides: causes)
    self.signs = signs
    self.decisions = decisions
    self.diagnostics = diagnostics
    index = PhraseIndex(causes: self.causes, phrases: signs.flatMap(\.phrases) + decisions.map(\.phrase))
  }

  package func cause(_ id: String) -> Cause? { causes.first { $0.id == id } }
}

/// Phrases that indicate a fact about the context of a failure, such as `platform:ios`.
struct Sign: Sendable {
  var fact: String
  var phrases: [Phrase]

  /// Reads a mapping from facts to phrases.
  static func read(_ text: String) -> (signs: [Sign], diagnostics: [Diagnostic]) {
    let result = DocumentReader.read(text, named: "signs.yaml", options: ReadingOptions(syntax: .yaml))
    guard let root = result.document?.root else { return ([], result.diagnostics) }
    var problems = DiagnosticCollector()
    let lists = Codec.map(of: .list(of: .nonEmptyString)).read(root, &problems) ?? [:]
    var signs: [Sign] = []
    for (fact, phrases) in lists {
      let parsed = phrases.compactMap(Phrase.init)
      if parsed.count < phrases.count {
        problems.error("short-phrase", "`\(fact)` has a phrase without a literal of at least 5 characters", at: root)
      }
      signs.append(Sign(fact: fact, phrases: parsed))
    }
    return (signs, result.diagnostics + problems.diagnostics)
  }
}

/// The literals of all phrases and words, for a search in one pass.
struct PhraseIndex: Sendable {
  let literals: [[UInt8]]
  let search: LiteralSearch
  /// The indexes in `literals` of each phrase's literals.
  let pieces: [Phrase: [Int]]
  /// The names of the `code:` and `exception:` facts whose word is a literal, by the literal's index.
  let words: [Int: [String]]
  /// A search for the literals that indicate a failure, not only its context. The code prefixes come first.
  let triggers: LiteralSearch

  static let codePrefixes = ["aadsts", "aadb2c"]

  init(causes: [Cause], phrases: [Phrase]) {
    var numbers: [[UInt8]: Int] = [:]
    var literals: [[UInt8]] = []
    var pieces: [Phrase: [Int]] = [:]
    var words: [Int: [String]] = [:]
    var triggers: Set<Int> = []
    func number(_ literal: [UInt8]) -> Int {
      if let known = numbers[literal] { return known }
      numbers[literal] = literals.count
      literals.append(literal)
      return literals.count - 1
    }
    for cause in causes {
      for recognizer in cause.recognizers {
        for phrase in recognizer.texts + recognizer.withoutTexts {
          let parts = phrase.pieces.map { number($0.literal) }
          pieces[phrase] = parts
          let longest = parts.max { literals[$0].count < literals[$1].count }
          if let longest, recognizer.strength.weight >= 3 { triggers.insert(longest) }
        }
        for fact in recognizer.facts + recognizer.withoutFacts where !fact.isPrefix {
          let parts = fact.name.split(separator: ":", maxSplits: 1)
          guard parts.count == 2, parts[0] == "code" || parts[0] == "exception" else { continue }
          let word = number(Array(parts[1].utf8))
          if words[word]?.contains(fact.name) != true { words[word, default: []].append(fact.name) }
          if recognizer.strength.weight >= 3 { triggers.insert(word) }
        }
      }
    }
    for phrase in phrases { pieces[phrase] = phrase.pieces.map { number($0.literal) } }
    self.literals = literals
    self.pieces = pieces
    self.words = words
    self.triggers = LiteralSearch(Self.codePrefixes.map { Array($0.utf8) } + triggers.sorted().map { literals[$0] })
    search = LiteralSearch(literals)
  }
}
