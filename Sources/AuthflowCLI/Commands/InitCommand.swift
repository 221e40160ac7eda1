import ArgumentParser
import Diagnostics
import Documents
import Effects
import IdentityPlatform
import Validation

struct InitCommand: SessionCommand {
  enum FormatChoice: String, ExpressibleByArgument, CaseIterable {
    case plist, yaml, json
  }

  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Writes settings, a first workflow, and what to add to Info.plist.",
    discussion: """
      What the app's folder already says (Info.plist, Xcode project, app manifest, MSAL Android configuration) is taken \
      from there; the rest is asked for on the terminal, and each answer is checked at once. With --yes, or where nobody \
      is at a terminal, the options have to say what the files do not. If the folder has an AuthSettings file, the \
      workflow uses it, and no other is written.

      Nothing is written before the last answer, and nothing that is there is overwritten without --force.

      Examples:
        authflow init
        authflow init ios --dry-run
        authflow init --yes --client-id 6731de76-14a6-49ae-97bc-6eba6914391e --bundle-id com.contoso.app

      Example: authflow init
      """)

  @Argument(help: "The app's folder.", completion: .directory) var folder = "."
  @Option(help: ArgumentHelp("The application (client) id.", valueName: "guid")) var clientID: String?
  @Option(help: ArgumentHelp("A tenant's id or domain, common, organizations or consumers.", valueName: "tenant"))
  var tenant: String?
  @Option(help: ArgumentHelp("Whose accounts, as the registration says: AzureADMyOrg, …", valueName: "audience"))
  var audience: String?
  @Option(help: "iOS or macOS.") var platform: String?
  @Option(help: ArgumentHelp("The app's bundle id.", valueName: "id")) var bundleID: String?
  @Option(parsing: .upToNextOption, help: ArgumentHelp("The permissions to ask for.", valueName: "scope"))
  var scopes: [String] = []
  @Option(help: "plist, yaml or json, for the settings (default: plist).") var format: FormatChoice?
  @Flag(name: .shortAndLong, help: "Ask nothing.") var yes = false
  @Flag(help: "Overwrite what is there.") var force = false
  @Flag(help: "Print the files in place of writing them.") var dryRun = false

  func perform(in session: Session) async throws(ExitStatus) {
    let files = session.world.files
    guard files.kind(of: folder) == .directory || folder == "." else {
      session.printStatus("error: \(folder) is no folder\n  help: name the folder of the app")
      throw .usageError
    }
    var plan = InitPlan.trial
    plan.format = format.flatMap { InitPlan.Format(rawValue: $0.rawValue) } ?? .plist
    let facts = try readFacts(in: session)
    plan.existingSettings = try existingSettings(facts, in: session)
    try refuseOverwriting(plan, in: session)
    plan.foundAuthority = facts.parsedAuthority
    try await answer(&plan, facts, in: session)
    if Task.isCancelled { throw .interrupted }
    let findings = plan.findings
    guard findings.isEmpty else {
      session.printStatus("error: the answers do not go together; nothing was written")
      session.show(findings)
      throw .usageError
    }
    if dryRun { return show(plan, in: session) }
    try write(plan, in: session)
    tellWhatIsNext(plan, in: session)
  }

  private func readFacts(in session: Session) throws(ExitStatus) -> DetectedRegistration {
    let configurations = try ValidateConfigurations(paths: [], named: nil, isOff: true, in: session)
    let found = try ProjectFiles(session: session, configurations: configurations).collect([folder])
    // Settings that shall be overwritten say what they said before.
    return DetectedRegistration(ProjectValidator(load: session.load(inputs: [folder])).project(of: found.files))
  }

  /// The settings file that the workflow uses in place of a new one, below the folder.
  /// - Throws: `.unusable` if options contain values for new settings.
  private func existingSettings(_ facts: DetectedRegistration, in session: Session) throws(ExitStatus) -> String? {
    guard !force, let file = facts.settingsFile else { return nil }
    let given: [(String, Bool)] = [
      ("--client-id", clientID != nil), ("--tenant", tenant != nil), ("--audience", audience != nil),
      ("--platform", platform != nil), ("--scopes", !scopes.isEmpty), ("--format", format != nil),
    ]
    if let option = given.first(where: \.1)?.0 {
      session.printStatus(
        "error: `\(option)` is for new settings, and \(CaretFrame.visible(file)) is there already"
          + "\n  help: edit that file, or pass `--force` to write new settings")
      throw .usageError
    }
    return folder == "." || !file.hasPrefix(folder) ? file : String(file.dropFirst(folder.count).drop { $0 == "/" })
  }

  // MARK: Answers

  private func answer(
    _ plan: inout InitPlan, _ facts: DetectedRegistration, in session: Session
  ) async throws(ExitStatus) {
    let asks = !yes && session.world.console.isTerminal(.error) && session.world.files.kind(of: "/dev/stdin") != .file
    var missing: [InitQuestion] = []
    for question in InitQuestion.allCases {
      if let given = try given(question, in: session) {
        if let refusal = question.refusal(of: given, foundAuthority: plan.foundAuthority) {
          session.printStatus(
            "error: \(question.option): \(refusal.words)\(refusal.help.map { "\n  help: \($0)" } ?? "")")
          throw .usageError
        }
        _ = question.take(given, into: &plan)
        continue
      }
      let facts = question.facts(facts)
      // The existing file answers the rest, or a run reports what it lacks.
      if plan.existingSettings != nil, facts.isEmpty, question != .bundleID {
        if let preset = fallback(question, whenAsking: false) { _ = question.take(preset, into: &plan) }
        continue
      }
      let usable = facts.first { question.refusal(of: $0.value, foundAuthority: plan.foundAuthority) == nil }
      if usable == nil, plan.existingSettings != nil, question != .bundleID { continue }
      if usable == nil, let fact = facts.first { leaveOut(fact, question, plan, in: session) }
      if asks, plan.existingSettings == nil || usable == nil {
        let preset = usable?.value ?? fallback(question, whenAsking: true)
        try await ask(question, preset: preset, usable?.origin, &plan, in: session)
      } else if let preset = usable?.value ?? (facts.isEmpty ? fallback(question, whenAsking: false) : nil) {
        _ = question.take(preset, into: &plan)
      } else {
        missing.append(question)
      }
    }
    guard missing.isEmpty else {
      let lines = missing.map { "  \($0.option): \($0.words)" }.joined(separator: "\n")
      let place = folder == "." ? "this folder" : folder
      session.printStatus("error: nothing in \(place) answers these, so give them as options:\n\(lines)")
      throw .usageError
    }
  }

  /// Says what the app's files say and what cannot be written.
  private func leaveOut(
    _ fact: DetectedRegistration.Fact<String>, _ question: InitQuestion, _ plan: InitPlan, in session: Session
  ) {
    let words = question.refusal(of: fact.value, foundAuthority: plan.foundAuthority)?.words ?? ""
    session.printStatus("note: left out: \(fact.value), from \(fact.origin)\n  \(words)")
  }

  /// What an option says.
  private func given(_ question: InitQuestion, in session: Session) throws(ExitStatus) -> String? {
    switch question {
    case .clientID: return clientID
    case .platform: return platform
    case .bundleID: return bundleID
    case .scopes: return scopes.isEmpty ? nil : scopes.joined(separator: " ")
    case .tenant:
      guard let audience else { return tenant }
      guard let known = Audience(named: audience) else {
        let words = Audience.allCases.map(\.rawValue).joined(separator: ", ")
        session.printStatus("error: --audience: \"\(audience)\" is none of \(words)")
        throw .usageError
      }
      do {
        return try Authority(cloud: .public, audience: known, rawTenant: tenant).tenant?.segment
      } catch {
        session.printStatus(
          "error: --audience: \(error.words)\n  help: \(known == .myOrg ? "add --tenant" : error.help)")
        throw .usageError
      }
    }
  }

  /// What is taken where nothing says anything; the app's own identity is made up only for somebody who looks on.
  private func fallback(_ question: InitQuestion, whenAsking: Bool) -> String? {
    switch question {
    case .clientID: whenAsking ? InitPlan.embeddedClientID : nil
    case .bundleID: whenAsking ? InitPlan.trial.bundleID : nil
    case .tenant: "common"
    case .platform: ApplePlatform.iOS.rawValue
    case .scopes: "User.Read"
    }
  }

  /// Asks until the answer is one.
  /// - Throws: `.interrupted` on Ctrl-C, `.unusable` where the input ends.
  private func ask(
    _ question: InitQuestion, preset: String?, _ origin: String?, _ plan: inout InitPlan, in session: Session
  ) async throws(ExitStatus) {
    var source = origin.map { ", from \($0)" } ?? ""
    if preset == InitPlan.embeddedClientID, origin == nil { source = ", on the embedded platform only" }
    while true {
      let hint = preset.map { "[\($0)\(source)]" } ?? ""
      // One line where both fit on a terminal, and room is left for the answer.
      let gap = question.words.count + hint.count > 60 ? "\n  " : " "
      session.world.console.write("\(question.words)\(hint.isEmpty ? "" : gap + hint): ", to: .error)
      guard let line = await session.world.console.readLine() else {
        session.printStatus("")
        if Task.isCancelled { throw .interrupted }
        session.printStatus("error: the answers ended before the last question; nothing was written")
        throw .usageError
      }
      if Task.isCancelled { throw .interrupted }
      let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let answer = words.isEmpty ? preset ?? "" : words
      guard let refusal = question.refusal(of: answer, foundAuthority: plan.foundAuthority) else {
        _ = question.take(answer, into: &plan)
        return
      }
      session.printStatus("  \(refusal.words)\(refusal.help.map { "\n  help: \($0)" } ?? "")")
    }
  }

  // MARK: Files

  private func path(_ name: String) -> String { FilePath.join(folder == "." ? "" : folder, name) }

  private func refuseOverwriting(_ plan: InitPlan, in session: Session) throws(ExitStatus) {
    guard !force, !dryRun else { return }
    let there = plan.files.map { path($0.name) }.filter { session.world.files.kind(of: $0) != nil }
    guard !there.isEmpty else { return }
    session.printStatus(
      "error: \(there.joined(separator: ", ")) \(there.count == 1 ? "is" : "are") there already\n  help: --force overwrites, --dry-run shows what would be written"
    )
    throw .usageError
  }

  private func show(_ plan: InitPlan, in session: Session) {
    for (name, text) in plan.files { session.printLine("==> \(path(name)) <==\n\(text)") }
  }

  private func write(_ plan: InitPlan, in session: Session) throws(ExitStatus) {
    let files = session.world.files
    var written: [String] = []
    do throws(FileFailure) {
      for (name, text) in plan.files {
        if name == InitPlan.workflowName { try files.makeDirectory(path("Workflows"), privately: false) }
        let isNew = files.kind(of: path(name)) == nil
        try files.replace(path(name), with: Array(text.utf8), privately: false)
        if isNew { written.append(path(name)) }
      }
    } catch {
      // Half of it would only be in the way.
      for path in written { try? files.remove(path) }
      session.printStatus("error: \(error.explanation)")
      throw .environmentFailure
    }
  }

  private func tellWhatIsNext(_ plan: InitPlan, in session: Session) {
    if let host = plan.ownHost {
      session.printStatus("note: the embedded platform does not answer for \(host), so the workflow cannot run there")
    }
    let workflow = path(InitPlan.workflowName)
    let settings =
      plan.existingSettings == nil
      ? "wrote \(path(plan.settingsName)): client id, authority, scopes, bundle id"
      : "the workflow uses \(CaretFrame.visible(path(plan.settingsName))): settings that are there already"
    session.printLine(
      """
      \(settings)
      wrote \(workflow): a first workflow
      wrote \(path(InitPlan.fragmentName)): what to add to Info.plist and to the entitlements

      Next:
        authflow validate \(folder)
        authflow run \(workflow)
        authflow graph \(workflow)
      """)
  }
}
