extension StepKind {
  /// Returns the help for an unknown step type or key that is a keyword of another workflow language or a name in MSAL.
  static func help(forForeign name: String) -> String? {
    switch name.lowercased() {
    case "if", "unless", "condition": "use `when` in a step, as in `{callGraph: /me, when: …}`"
    case "else", "then", "goto", "switch", "next": "use `on` in a step to set the next step for each outcome"
    case "try", "catch": "use `on` in a step to specify the step that handles an outcome"
    case "for", "foreach", "loop", "while", "repeat": "use `retry` in a step, or return to a step with `on`"
    case "print", "echo", "log", "output": "remove it: `authflow run --verbose` prints the details of each step"
    case "set", "let", "var", "variables": "use `capture` in the step that returns the value"
    case "sleep", "delay", "pause": "did you mean `wait`?"
    case "run", "include", "import", "workflow": "did you mean `use`?"
    case "concurrently", "concurrent", "all": "did you mean `parallel`?"
    case "login", "signin", "acquiretoken", "acquiretokeninteractive": "did you mean `interactive`?"
    case "acquiretokensilent", "ssosilent", "refresh": "did you mean `silent`?"
    case "logout": "did you mean `signout`?"
    case "http", "request", "fetch", "get", "post", "url": "did you mean `callAPI`?"
    case "graph": "did you mean `callGraph`?"
    case "scopes", "extrascopes", "claims", "prompt", "loginhint", "authority":
      "move it into the step that acquires the token, as in `{silent: {scopes: [User.Read]}}`"
    default: nil
    }
  }
}
