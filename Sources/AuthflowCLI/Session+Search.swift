import Diagnostics
import Validation

extension Session {
  /// Finds and reads the validation configurations for paths.
  /// - Throws: `.usageError` if a configuration has errors. The errors have been reported.
  func validationConfigurations(
    for paths: [String], named: String? = nil
  ) throws(ExitStatus) -> PathConfigurations {
    let configurations = PathConfigurations(paths: paths, named: named, in: world)
    show(configurations.diagnostics)
    if configurations.diagnostics.hasErrors { throw .usageError }
    return configurations
  }

  /// Finds and reads the files to check.
  /// - Throws: `.usageError` if there are too many files.
  func searchProject(
    _ paths: [String], _ configurations: PathConfigurations = PathConfigurations()
  ) throws(ExitStatus) -> ProjectSearch.Result {
    let search = ProjectSearch(in: world, configurations: configurations, standardInput: InputStreams.standardInput)
    let result = search.collect(paths)
    guard !result.isIncomplete else {
      throw report(.usageError, "more than \(ProjectSearch.fileLimit) files to check", help: "pass fewer folders")
    }
    return result
  }
}
