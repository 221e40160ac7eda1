import AppRegistration
import Diagnostics
import Documents
import Validation
import WorkflowModel

/// The names that one file declares and uses, before they are linked to other files.
struct FileSymbols: Sendable {
  struct Declaration: Sendable {
    var name: String
    var place: NamePlace
    var role = SymbolOccurrence.Role.declaration
    var extent: SourceSpan
  }

  /// A step in a workflow.
  struct StepDeclaration: Sendable {
    var declaration: Declaration
    /// The path of the workflow that a `use` step runs, relative to the folder of the snapshot.
    var usedFile: String?
  }

  enum Reference: Sendable {
    /// The address of a step, with its segments, such as `login` and `silent`. An address can also refer to a variable.
    case step([(name: String, place: NamePlace)], canBeVariable: Bool, hasField: Bool)
    /// A capture or an input of the workflow.
    case variable(String, NamePlace, onlyIfKnown: Bool)
    /// An input of another workflow.
    case input(String, NamePlace, of: String)
    case client(String, NamePlace, onlyIfKnown: Bool)
    /// A username in lowercase.
    case account(String, NamePlace)
    /// A path relative to the folder of the snapshot.
    case file(String, NamePlace)
    case rule(String, NamePlace)
  }

  private(set) var document: Document
  private(set) var kind: AppRegistrationKind
  /// Whether the text has syntax errors, so that names may be missing.
  private(set) var isBroken: Bool
  /// The workflow whose steps, variables, and clients the file uses.
  var scope: String
  var steps: [StepDeclaration] = []
  var captures: [Declaration] = []
  var inputs: [Declaration] = []
  var clients: [Declaration] = []
  var scenarios: [Declaration] = []
  /// The users of a directory. Their names are in lowercase.
  var accounts: [Declaration] = []
  /// The directory files that the file uses.
  var directories: [String] = []
  var references: [Reference] = []

  var name: String { document.source.name }

  /// Collects the names in a document, or returns nil if documents of this kind do not contain names.
  init?(_ parsed: ParsedDocument) {
    guard let document = parsed.tree, !document.source.isBinary, document.source.bytes.count <= Self.maximumSize,
      case let name = document.source.name, let kind = Self.kind(parsed.reading.kind, of: document, named: name)
    else { return nil }
    self.document = document
    self.kind = kind
    isBroken = parsed.reading.diagnostics.contains { $0.severity == .error && RuleNames.reading.contains($0.rule) }
    scope = name
    var scan = SymbolScan(symbols: self)
    scan.scan(document.root, kind, isConfiguration: ValidationConfiguration.fileNames.contains(FilePath.name(of: name)))
    self = scan.symbols
  }

  /// The maximum size of a file in bytes. Larger files are assumed to be data.
  private static let maximumSize = 4 << 20

  private static func kind(_ kind: AppRegistrationKind, of document: Document, named name: String)
    -> AppRegistrationKind?
  {
    if ValidationConfiguration.fileNames.contains(FilePath.name(of: name)) { return .unknown }
    switch kind {
    case .workflow, .scenarios, .directory, .authSettings: return kind
    default:
      let root = document.root
      // The `authflow` key can be missing while the user types a workflow.
      if root["steps"]?.kind == .array { return .workflow }
      if root["scenarios"]?.kind == .mapping, root["workflow"] != nil { return .scenarios }
      return nil
    }
  }

  /// The workflows that the steps run.
  var usedFiles: [String] { steps.compactMap(\.usedFile) }
}
