import ArgumentParser
import Diagnostics
import Documents
import Effects
import IdentityPlatform
import Validation

struct InitCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Create settings, a first workflow, and Info.plist entries",
    discussion: """
      Reads the values that the app's folder already contains in its Info.plist, Xcode project, app manifest, or MSAL \
      Android configuration, and asks for the others. With `--yes`, or without a terminal, pass the missing values as \
      options. If the folder contains an AuthSettings file, the workflow uses it.

      The command writes files only after you have answered all questions. It overwrites files only with `--force`.

      Examples:
        authflow init
        authflow init ios --dry-run
      """)

  @Argument(help: "App folder", completion: .directory) var folder = "."
  @Option(help: ArgumentHelp("Set the application (client) ID", valueName: "guid")) var clientID: String?
  @Option(
    help: ArgumentHelp(
      "Set the tenant", discussion: "A tenant ID or domain, `common`, `organizations`, or `consumers`.",
      valueName: "tenant"))
  var tenant: String?
  @Option(
    help: ArgumentHelp(
      "Set the audience of the app registration", discussion: "For example, `AzureADMyOrg`.", valueName: "audience"))
  var audience: String?
  @Option(help: "Set the app's platform: `iOS` or `macOS`") var platform: String?
  @Option(help: ArgumentHelp("Set the bundle ID", valueName: "id")) var bundleID: String?
  @Option(parsing: .upToNextOption, help: ArgumentHelp("Set the scopes to request", valueName: "scope"))
  var scopes: [String] = []
  @Option(help: "Select the settings format (default: plist)") var format: InitPlan.Format?
  @Flag(name: .shortAndLong, help: "Use detected and default values without asking") var yes = false
  @Flag(help: "Overwrite existing files") var force = false
  @Flag(help: "Print the files instead of writing them") var dryRun = false

  func perform(in session: Session) async throws(ExitStatus) {
    let files = session.world.files
    guard files.kind(of: folder) == .directory || folder == "." else {
      throw session.report(.usageError, "\(folder) is not a folder", help: "pass the app's folder")
    }
    var plan = InitPlan.sample
    plan.format = format ?? .plist
    let detected = try detectRegistration(in: session)
    plan.existingSettings = try existingSettings(detected, in: session)
    try checkExistingFiles(plan, in: session)
    plan.detectedAuthority = detected.parsedAuthority
    try await complete(&plan, detected, in: session)
    if Task.isCancelled { throw .interrupted }
    let findings = plan.findings
    guard findings.isEmpty else {
      session.reportError("the values are inconsistent; no files were written")
      session.show(findings)
      throw .usageError
    }
    if dryRun { return show(plan, in: session) }
    try write(plan, in: session)
    printNextSteps(plan, in: session)
  }

  private func detectRegistration(in session: Session) throws(ExitStatus) -> DetectedRegistration {
    let project = try session.searchProject([folder])
    // Even with `--force`, the values in existing settings serve as defaults.
    return DetectedRegistration(ProjectValidator(load: session.load(inputs: [folder])).project(of: project.files))
  }

  /// Returns the path of the existing settings that the workflow will use, or nil to create settings. The path is
  /// relative to the folder.
  /// - Throws: `.usageError` if settings exist and an option contains a value for new settings.
  private func existingSettings(_ detected: DetectedRegistration, in session: Session) throws(ExitStatus) -> String? {
    guard !force, let file = detected.settingsFile else { return nil }
    let options: [(String, Bool)] = [
      ("--client-id", clientID != nil), ("--tenant", tenant != nil), ("--audience", audience != nil),
      ("--platform", platform != nil), ("--scopes", !scopes.isEmpty), ("--format", format != nil),
    ]
    if let option = options.first(where: \.1)?.0 {
      throw session.report(
        .usageError, "`\(option)` is for new settings, but \(CaretFrame.visible(file)) exists",
        help: "edit this file, or pass `--force` to write new settings")
    }
    return folder == "." || !file.hasPrefix(folder) ? file : String(file.dropFirst(folder.count).drop { $0 == "/" })
  }

  // MARK: Values

  /// Completes the plan with values from options, files, the user's input, and defaults.
  private func complete(
    _ plan: inout InitPlan, _ detected: DetectedRegistration, in session: Session
  ) async throws(ExitStatus) {
    let isInteractive =
      !yes && session.world.console.isTerminal(.error) && session.world.files.kind(of: "/dev/stdin") != .file
    var missing: [InitQuestion] = []
    for question in InitQuestion.allCases {
      if let value = try optionValue(question, in: session) {
        if let error = question.error(of: value, detectedAuthority: plan.detectedAuthority) {
          throw session.report(.usageError, "`\(question.option)`: \(error.message)", help: error.help)
        }
        _ = question.apply(value, to: &plan)
        continue
      }
      let candidates = question.values(in: detected)
      // The workflow uses the existing settings, and a run reports missing values.
      if plan.existingSettings != nil, candidates.isEmpty, question != .bundleID {
        if let value = defaultValue(question, isInteractive: false) { _ = question.apply(value, to: &plan) }
        continue
      }
      let usable = candidates.first { question.error(of: $0.value, detectedAuthority: plan.detectedAuthority) == nil }
      if usable == nil, plan.existingSettings != nil, question != .bundleID { continue }
      if usable == nil, let value = candidates.first { reportUnusable(value, question, plan, in: session) }
      if isInteractive, plan.existingSettings == nil || usable == nil {
        let value = usable?.value ?? defaultValue(question, isInteractive: true)
        try await ask(question, defaultValue: value, usable?.origin, &plan, in: session)
      } else if let value = usable?.value ?? (candidates.isEmpty ? defaultValue(question, isInteractive: false) : nil) {
        _ = question.apply(value, to: &plan)
      } else {
        missing.append(question)
      }
    }
    guard missing.isEmpty else {
      let lines = missing.map { "  \($0.option): \($0.prompt)" }.joined(separator: "\n")
      let location = folder == "." ? "this folder" : folder
      throw session.report(
        .usageError, "missing values: the files in \(location) do not contain them", help: "pass options:\n\(lines)")
    }
  }

  /// Reports that a detected value cannot be used.
  private func reportUnusable(
    _ detected: DetectedRegistration.Value<String>, _ question: InitQuestion, _ plan: InitPlan, in session: Session
  ) {
    let reason = question.error(of: detected.value, detectedAuthority: plan.detectedAuthority)?.message ?? ""
    session.printStatus("note: ignored `\(detected.value)` from \(detected.origin): \(reason)")
  }

  /// Returns the value of an option, or nil if it is missing.
  private func optionValue(_ question: InitQuestion, in session: Session) throws(ExitStatus) -> String? {
    switch question {
    case .clientID: return clientID
    case .platform: return platform
    case .bundleID: return bundleID
    case .scopes: return scopes.isEmpty ? nil : scopes.joined(separator: " ")
    case .tenant:
      guard let audience else { return tenant }
      guard let known = Audience(named: audience) else {
        let names = Audience.allCases.map(\.rawValue).joined(separator: ", ")
        throw session.report(.usageError, "`--audience`: unknown audience `\(audience)`", help: "use one of \(names)")
      }
      do {
        return try Authority(cloud: .public, audience: known, rawTenant: tenant).tenant?.segment
      } catch {
        throw session.report(
          .usageError, "`--audience`: \(error.message)", help: known == .myOrg ? "add `--tenant`" : error.help)
      }
    }
  }

  /// Returns the default value for a question, or nil if there is none. The defaults for the client ID and the bundle
  /// ID are sample values that the user must confirm.
  private func defaultValue(_ question: InitQuestion, isInteractive: Bool) -> String? {
    switch question {
    case .clientID: isInteractive ? InitPlan.sampleClientID : nil
    case .bundleID: isInteractive ? InitPlan.sample.bundleID : nil
    case .tenant: "common"
    case .platform: ApplePlatform.iOS.rawValue
    case .scopes: "User.Read"
    }
  }

  /// Asks the user for a value until the value is valid.
  /// - Throws: `.interrupted` after Ctrl-C, or `.usageError` if standard input ends.
  private func ask(
    _ question: InitQuestion, defaultValue: String?, _ origin: String?, _ plan: inout InitPlan, in session: Session
  ) async throws(ExitStatus) {
    let isSample = defaultValue == InitPlan.sampleClientID && origin == nil
    let source = isSample ? ", for the emulator only" : origin.map { ", from \($0)" } ?? ""
    while true {
      let hint = defaultValue.map { "[\($0)\(source)]" } ?? ""
      // Use one line if the prompt, the default, and the user's input fit in the terminal.
      let separator = question.prompt.count + hint.count > 60 ? "\n  " : " "
      session.world.console.write("\(question.prompt)\(hint.isEmpty ? "" : separator + hint): ", to: .error)
      guard let line = await session.world.console.readLine() else {
        session.printStatus("")
        if Task.isCancelled { throw .interrupted }
        throw session.report(.usageError, "input ended before the last question; no files were written")
      }
      if Task.isCancelled { throw .interrupted }
      let input = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let value = input.isEmpty ? defaultValue ?? "" : input
      guard let error = question.error(of: value, detectedAuthority: plan.detectedAuthority) else {
        _ = question.apply(value, to: &plan)
        return
      }
      session.printStatus("  \(error.message)\(error.help.map { "\n  help: \($0)" } ?? "")")
    }
  }

  // MARK: Files

  private func path(_ name: String) -> String { FilePath.join(folder == "." ? "" : folder, name) }

  private func checkExistingFiles(_ plan: InitPlan, in session: Session) throws(ExitStatus) {
    guard !force, !dryRun else { return }
    let existing = plan.files.map { path($0.name) }.filter { session.world.files.kind(of: $0) != nil }
    guard !existing.isEmpty else { return }
    throw session.report(
      .usageError, "\(existing.joined(separator: ", ")) already \(existing.count == 1 ? "exists" : "exist")",
      help: "use `--force` to overwrite, or `--dry-run` to print the files")
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
      // Remove the files that were created, because the set is incomplete.
      for path in written { try? files.remove(path) }
      throw session.report(.environmentFailure, error.explanation)
    }
  }

  private func printNextSteps(_ plan: InitPlan, in session: Session) {
    if let host = plan.customHost {
      session.printStatus("note: the emulator does not serve \(host), so the workflow requires the live service")
    }
    let workflow = path(InitPlan.workflowName)
    let settings =
      plan.existingSettings == nil
      ? "wrote \(path(plan.settingsName)): client ID, authority, scopes, and bundle ID"
      : "using \(CaretFrame.visible(path(plan.settingsName))): existing settings"
    session.printLine(
      """
      \(settings)
      wrote \(workflow): a first workflow
      wrote \(path(InitPlan.fragmentName)): entries for Info.plist and the entitlements

      Next:
        authflow validate \(folder)
        authflow run \(workflow)
        authflow graph \(workflow)
      """)
  }
}
