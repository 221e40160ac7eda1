#if !canImport(CLibYAML)
  import Diagnostics

  // iOS does not include libyaml, and app test targets should not have to provide it.

  enum YAMLReader {
    /// Reports that this platform cannot read YAML.
    static func read(_ source: SourceText, isASCII: Bool, limits: ReadingLimits) -> ReadResult {
      ReadResult(
        document: nil,
        diagnostics: [
          Diagnostic(
            .error, rule: "yaml-unavailable", "YAML is not available on this platform",
            help: "convert the file on a Mac or on Linux: `authflow convert FILE --to json`",
            at: FileSpan(source, .at(0)))
        ])
    }
  }
#endif
