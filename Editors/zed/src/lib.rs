//! Starts the language server, the debug adapter, and the MCP server of authflow in Zed.

use zed_extension_api::{
    self as zed, serde_json, Command, ContextServerId, DebugAdapterBinary, DebugConfig,
    DebugRequest, DebugScenario, DebugTaskDefinition, LanguageServerId, Project, Result,
    StartDebuggingRequestArguments, StartDebuggingRequestArgumentsRequest, Worktree,
};

struct Authflow;

/// Returns the program in the user's `PATH`.
fn program(worktree: &Worktree) -> Result<String> {
    worktree
        .which("authflow")
        .ok_or_else(|| "authflow is not in the PATH".to_string())
}

impl zed::Extension for Authflow {
    fn new() -> Self {
        Authflow
    }

    fn language_server_command(
        &mut self,
        _id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Command> {
        Ok(Command {
            command: program(worktree)?,
            args: vec!["lsp".to_string()],
            env: worktree.shell_env(),
        })
    }

    fn context_server_command(
        &mut self,
        _id: &ContextServerId,
        _project: &Project,
    ) -> Result<Command> {
        Ok(Command {
            command: "authflow".to_string(),
            args: vec!["mcp".to_string()],
            env: Vec::new(),
        })
    }

    fn get_dap_binary(
        &mut self,
        _adapter: String,
        config: DebugTaskDefinition,
        user_path: Option<String>,
        worktree: &Worktree,
    ) -> Result<DebugAdapterBinary, String> {
        Ok(DebugAdapterBinary {
            command: Some(user_path.map_or_else(|| program(worktree), Ok)?),
            arguments: vec!["dap".to_string()],
            envs: worktree.shell_env(),
            cwd: Some(worktree.root_path()),
            connection: None,
            request_args: StartDebuggingRequestArguments {
                configuration: config.config,
                request: StartDebuggingRequestArgumentsRequest::Launch,
            },
        })
    }

    fn dap_request_kind(
        &mut self,
        _adapter: String,
        config: serde_json::Value,
    ) -> Result<StartDebuggingRequestArgumentsRequest, String> {
        match config.get("request").and_then(|request| request.as_str()) {
            None | Some("launch") => Ok(StartDebuggingRequestArgumentsRequest::Launch),
            Some(other) => Err(format!("unsupported request `{other}`: use `launch`")),
        }
    }

    fn dap_config_to_scenario(&mut self, config: DebugConfig) -> Result<DebugScenario, String> {
        let DebugRequest::Launch(launch) = config.request else {
            return Err("authflow can launch a workflow, but not attach to one".to_string());
        };
        let mut configuration = serde_json::json!({
            "request": "launch",
            "program": launch.program,
            "stopOnEntry": config.stop_on_entry.unwrap_or(true),
        });
        if let Some(scenario) = launch.args.first() {
            configuration["scenario"] = scenario.as_str().into();
        }
        Ok(DebugScenario {
            label: config.label,
            adapter: config.adapter,
            build: None,
            config: configuration.to_string(),
            tcp_connection: None,
        })
    }
}

zed::register_extension!(Authflow);
