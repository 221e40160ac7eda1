extension StepKind {
  /// The help for a word that other workflow languages and MSAL use in place of a kind of step or its key.
  static func help(forForeign name: String) -> String? {
    switch name.lowercased() {
    case "if", "unless", "condition": "write the condition in `when` of a step, as in {callGraph: /me, when: …}"
    case "else", "then", "goto", "switch", "next": "write the next step of each outcome in `on` of a step"
    case "try", "catch": "write the step that handles an outcome in `on` of a step"
    case "for", "foreach", "loop", "while", "repeat": "write `retry` in a step, or lead back to a step with `on`"
    case "print", "echo", "log", "output": "remove it: `authflow run --verbose` prints what each step does"
    case "set", "let", "var", "variables": "write `capture` in the step that has the value"
    case "sleep", "delay", "pause": "did you mean \"wait\"?"
    case "run", "include", "import", "workflow": "did you mean \"use\"?"
    case "concurrently", "concurrent", "all": "did you mean \"parallel\"?"
    case "login", "signin", "acquiretoken", "acquiretokeninteractive": "did you mean \"interactive\"?"
    case "acquiretokensilent", "ssosilent", "refresh": "did you mean \"silent\"?"
    case "logout": "did you mean \"signout\"?"
    case "http", "request", "fetch", "get", "post", "url": "did you mean \"callAPI\"?"
    case "graph": "did you mean \"callGraph\"?"
    case "scopes", "extrascopes", "claims", "prompt", "loginhint", "authority":
      "write it in the step that gets the token, as in {silent: {scopes: [User.Read]}}"
    default: nil
    }
  }
}
