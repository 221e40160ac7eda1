import AppRegistration
import Directory
import Documents
import WorkflowModel

/// The meaning of a location in a document, in addition to its schema.
enum CompletionPlace: Sendable {
  /// A location that only the schema describes.
  case plain
  case workflow, scenariosFile, directory, settings, configuration, appsettings, azureAd
  /// Settings, or the path of a settings file.
  case settingsSource
  case clients
  /// A directory, the path of a directory file, or `contoso`.
  case directorySource
  case platform
  case user, username, picks
  case inputs
  case stepList, step
  /// The value of a step type.
  case parameters(StepKind)
  case useInputs
  case handlers, target, retry, outcomeNames
  /// The expectations of a step, whose keys can be result fields.
  case expectations
  /// Other expectations, whose keys start with a step or a variable.
  case conditions
  case scenarioExpect
  /// The expected value of an address, such as `silent.error.code`.
  case matcher(String)
  case captures, captureAddress
  case clientName, stepID
  case scenarios, scenario, scenarioOutcome, pathList, pathEntry
  case events, eventValue(EventKind), fault, before
  case scenarioInputs, inputValue(String)
  case matrix, matrixAxis(String)
  /// A path to a file of one of these kinds.
  case file(FileReference)
  case graphPath
  case authority, tenant, clientID, resourceID, permissionID(String?)
  case scope, oauthError, errorCode, misc([String])
  case rules, ruleID
  case urlScheme, queryScheme, keychainGroup

  /// The kind of file that a path refers to.
  enum FileReference: Sendable {
    case settings, directory, workflow, scenarios, recording, infoPlist, cache, any
  }
}

/// The meaning and the schema of the location at a path.
struct PlaceWalk: Sendable {
  private(set) var place: CompletionPlace
  private(set) var schema: SchemaView
  private(set) var ignoresCase: Bool
  /// The values of sibling keys, for locations whose meaning depends on them.
  private var node: OutlineNode?

  init(_ path: [PathElement], in format: EditedFormat, _ outline: OutlineNode) {
    place = Self.root(format)
    schema = FormatSchemas.view(of: format)
    ignoresCase = format == .settings
    node = outline
    for element in path { descend(to: element) }
  }

  /// The schema of the keys at the location.
  var keySchema: SchemaView {
    switch place {
    case .settingsSource: FormatSchemas.settings
    case .directorySource: FormatSchemas.directory
    case .appsettings: .anything
    default: schema
    }
  }

  private static func root(_ format: EditedFormat) -> CompletionPlace {
    switch format {
    case .workflow: .workflow
    case .scenarios: .scenariosFile
    case .directory: .directory
    case .settings: .settings
    case .configuration: .configuration
    case .appsettings: .appsettings
    default: .plain
    }
  }

  private mutating func descend(to element: PathElement) {
    let parent = node
    node = node?.value(at: [element])
    switch element {
    case .index: schema = schema.element
    case .key(let key): schema = schema.member(key, ignoresCase: ignoresCase)
    }
    let old = place
    place = next(element, parent)
    enter(from: old, element)
  }

  /// Replaces the schema at a location with a separate schema.
  private mutating func enter(from old: CompletionPlace, _ element: PathElement) {
    switch (old, place, element) {
    case (.settingsSource, _, .key(let key)):
      ignoresCase = true
      schema = FormatSchemas.settings.member(key, ignoresCase: true)
    case (.directorySource, _, .key(let key)): schema = FormatSchemas.directory.member(key)
    case (.matrix, .scenario, _): schema = FormatSchemas.scenario
    case (.matrixAxis, _, .index): schema = .anything
    case (_, .azureAd, _):
      ignoresCase = true
      schema = FormatSchemas.azureAdSection
    default: break
    }
  }

  private func next(_ element: PathElement, _ parent: OutlineNode?) -> CompletionPlace {
    switch element {
    case .index: return self.element(of: place)
    case .key(let key):
      switch place {
      case .workflow, .scenariosFile: return workflowMember(key)
      case .step: return stepMember(key)
      case .parameters(let kind): return parameter(key, of: kind)
      case .scenario: return scenarioMember(key)
      case .settings, .settingsSource: return settingsMember(key)
      case .directory, .directorySource, .plain: return plainMember(key, parent)
      case .appsettings, .azureAd: return webMember(key)
      default: return otherMember(key)
      }
    }
  }

  private func element(of place: CompletionPlace) -> CompletionPlace {
    switch place {
    case .stepList: .step
    case .pathList: .pathEntry
    case .matrix: .scenario
    case .matrixAxis(let name): name == "user" ? .user : .inputValue(name)
    case .eventValue(let kind): kind.subjectKeys?.contains(.scopes) == true ? .scope : place
    default: place
    }
  }

  private func workflowMember(_ key: String) -> CompletionPlace {
    switch key {
    case "settings": .settingsSource
    case "clients": .clients
    case "directory": .directorySource
    case "platform": .platform
    case "user": .user
    case "inputs": .inputs
    case "steps", "finally": .stepList
    case "scenarios": .scenarios
    case "workflow": .file(.workflow)
    default: .plain
    }
  }

  private func stepMember(_ key: String) -> CompletionPlace {
    switch key {
    case "on": .handlers
    case "expect": .expectations
    case "capture": .captures
    case "when": .conditions
    case "retry": .retry
    case "client": .clientName
    case "user": .user
    case "assert": .conditions
    case "simulate": .events
    case "parallel": .stepList
    default: StepKind.named(key).map { .parameters($0) } ?? .plain
    }
  }

  private func parameter(_ key: String, of kind: StepKind) -> CompletionPlace {
    switch (kind.key, key) {
    case ("use", "workflow"): .file(.workflow)
    case ("use", "with"): .useInputs
    case ("callGraph", "get"), ("callGraph", "post"), ("callGraph", "put"), ("callGraph", "patch"),
      ("callGraph", "delete"):
      .graphPath
    case ("callGraph", "batch"): place
    case (_, "scopes"), (_, "extraScopesToConsent"): .scope
    case (_, "authority"): .authority
    case (_, "username"), (_, "loginHint"): .username
    default: .plain
    }
  }

  private func scenarioMember(_ key: String) -> CompletionPlace {
    switch key {
    case "given": .events
    case "before": .before
    case "user": .user
    case "inputs": .scenarioInputs
    case "settings": .settingsSource
    case "clients": .clients
    case "directory": .directorySource
    case "expect": .scenarioExpect
    case "matrix": .matrix
    default: .plain
    }
  }

  private func settingsMember(_ key: String) -> CompletionPlace {
    switch AppSettings.fields.field(named: key)?.key {
    case "AppId", "NestedAuthBrokerClientId": .clientID
    case "GraphScopes": .scope
    case "Authority", "KnownAuthorities": .authority
    case "TenantId": .tenant
    case "InfoPlist": .file(.infoPlist)
    case "ClientCapabilities": .misc(["CP1"])
    case "KeychainGroup": .keychainGroup
    case "GraphEndpoint": .misc(["https://graph.microsoft.com", "https://graph.microsoft.us"])
    default: .plain
    }
  }

  private func webMember(_ key: String) -> CompletionPlace {
    let folded = key.lowercased()
    if case .appsettings = place { return folded.hasPrefix("azuread") ? .azureAd : .appsettings }
    switch folded {
    case "clientid": return .clientID
    case "tenantid": return .tenant
    case "instance": return .misc(IdentityValues.loginHosts.map { "https://\($0)/" })
    case "authority": return .authority
    case "scopes": return .scope
    case "clientcapabilities": return .misc(["cp1"])
    default: return .plain
    }
  }

  /// Returns the meaning of a key in a directory, an app manifest, or another app's file.
  private func plainMember(_ key: String, _ parent: OutlineNode?) -> CompletionPlace {
    switch key {
    case "client_id", "clientId", "appId", "ADALClientId": .clientID
    case "resourceAppId": .resourceID
    case "resourceAccess": .permissionID(parent?["resourceAppId"]?.scalar)
    case "authority", "authority_url", "knownAuthorities", "ADALAuthority": .authority
    case "tenant_id", "tenantId": .tenant
    case "permissions", "adminConsent", "scopes": .scope
    case "manager", "assignedUsers": .username
    case "CFBundleURLSchemes": .urlScheme
    case "LSApplicationQueriesSchemes": .queryScheme
    case "keychain-access-groups": .keychainGroup
    case "client_capabilities": .misc(["CP1"])
    case "saveTo", "file": .file(.any)
    default: .plain
    }
  }

  private func otherMember(_ key: String) -> CompletionPlace {
    switch place {
    case .clients: return .settingsSource
    case .platform: return key == "replay" ? .file(.recording) : .plain
    case .user:
      switch key {
      case "username": return .username
      case "picks": return .picks
      case "consent": return .scope
      default: return .plain
      }
    case .handlers: return .target
    case .retry: return key == "on" ? .outcomeNames : .plain
    case .expectations, .conditions: return .matcher(key)
    case .matcher(let address):
      return ExpectedValues.isMatcher(key) ? place : .matcher("\(address).\(key)")
    case .captures: return .captureAddress
    case .scenarios: return .scenario
    case .scenarioExpect:
      switch key {
      case "outcome": return .scenarioOutcome
      case "path": return .pathList
      case "accounts": return .username
      default: return key.contains(".") ? .matcher(key) : .plain
      }
    case .before: return .events
    case .events:
      guard let kind = EventKind(rawValue: key) else { return .plain }
      return kind == .fault ? .fault : kind == .cacheLoaded ? .file(.cache) : .eventValue(kind)
    case .eventValue: return eventMember(key)
    case .fault: return faultMember(key)
    case .useInputs, .scenarioInputs: return .inputValue(key)
    case .matrix: return .matrixAxis(key)
    case .configuration:
      return key == "rules" ? .rules : key == "ignore" ? .configuration : key == "rule" ? .ruleID : .plain
    case .permissionID: return key == "id" ? place : .plain
    default: return .plain
    }
  }

  private func eventMember(_ key: String) -> CompletionPlace {
    switch key {
    case "user": .username
    case "client": .clientName
    case "scopes": .scope
    default: .plain
    }
  }

  private func faultMember(_ key: String) -> CompletionPlace {
    switch key {
    case "code": .errorCode
    case "error": .oauthError
    case "response": .fault
    default: .plain
    }
  }
}
