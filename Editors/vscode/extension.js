// Connects Visual Studio Code with `authflow lsp`, `authflow dap`, `authflow mcp`, and the commands `validate` and `test`.
'use strict';
const path = require('node:path');
const vscode = require('vscode');
const { LanguageClient, Trace } = require('vscode-languageclient/node');
const { ScenarioTests } = require('./scenarios');

const PATTERN = '**/*.{yaml,yml,json,jsonc,plist,entitlements,xml,pbxproj}';
const SOURCE_LANGUAGES = ['yaml', 'json', 'jsonc', 'xml'];

let client;

function settings() {
  return vscode.workspace.getConfiguration('authflow');
}

function program() {
  return settings().get('path') || 'authflow';
}

// The server executes the commands of its code lenses, except Debug, which starts the debugger in the editor.
async function executeCommand(command, args, next) {
  const result = await next(command, args);
  if (command === 'authflow.debug' && result && result.type === 'authflow') {
    const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(result.program));
    await vscode.debug.startDebugging(folder, result);
  }
  return result;
}

async function startClient() {
  const run = { command: program(), args: ['lsp', ...(settings().get('arguments') || [])] };
  client = new LanguageClient('authflow', 'authflow', { run, debug: run }, {
    documentSelector: [{ scheme: 'file', pattern: PATTERN }, { scheme: 'untitled', language: 'yaml' }],
    outputChannelName: 'authflow',
    middleware: { executeCommand },
  });
  try {
    await client.start();
  } catch (error) {
    const choice = await vscode.window.showErrorMessage(
      `authflow: cannot start ${run.command}: ${error.message}`, 'Open Settings');
    if (choice) await vscode.commands.executeCommand('workbench.action.openSettings', 'authflow.path');
    return;
  }
  await setTrace();
}

async function setTrace() {
  const level = { messages: Trace.Messages, verbose: Trace.Verbose }[settings().get('trace.server')] ?? Trace.Off;
  await client?.setTrace(level);
}

async function restartClient() {
  await client?.stop();
  await startClient();
}

// --- Debugger

class DebugAdapters {
  createDebugAdapterDescriptor() {
    return new vscode.DebugAdapterExecutable(program(), ['dap']);
  }
}

class DebugConfigurations {
  // A configuration is empty if the user starts the debugger without launch.json.
  async resolveDebugConfiguration(folder, configuration) {
    if (configuration.type && configuration.program) return configuration;
    const document = vscode.window.activeTextEditor?.document;
    if (!document || !SOURCE_LANGUAGES.includes(document.languageId)) {
      await vscode.window.showInformationMessage('Open a workflow to debug it.');
      return undefined;
    }
    return {
      type: 'authflow', request: 'launch', name: path.basename(document.fileName), stopOnEntry: true, ...configuration,
      program: document.fileName,
    };
  }
}

// Asks which scenario in the current file to debug, and starts the debugger.
async function debugFile(tests) {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) return;
  const names = await tests.scenarioNames(document.uri);
  const whole = { label: 'The workflow', description: 'without a scenario' };
  const choice = await vscode.window.showQuickPick([...names.map((label) => ({ label })), whole], { title: 'Debug Scenario' });
  if (!choice) return;
  const configuration = {
    type: 'authflow', request: 'launch', name: choice.label, program: document.fileName, stopOnEntry: true,
  };
  if (choice !== whole) configuration.scenario = choice.label;
  await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(document.uri), configuration);
}

// Diagnoses a log or an error from an app: the selected text, or the text in the clipboard.
async function diagnose() {
  const editor = vscode.window.activeTextEditor;
  const selected = editor && !editor.selection.isEmpty ? editor.document.getText(editor.selection) : '';
  const text = selected || await vscode.env.clipboard.readText();
  try {
    const { markdown } = await vscode.commands.executeCommand('authflow.diagnose', text);
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: markdown });
    await vscode.window.showTextDocument(document);
  } catch (error) {
    await vscode.window.showInformationMessage(`${error.message}. Select a log or an error, or copy it.`);
  }
}

// --- Tasks

class Tasks {
  provideTasks() {
    return (vscode.workspace.workspaceFolders || []).flatMap((folder) => [
      this.task({ type: 'authflow', command: 'validate' }, folder),
      this.task({ type: 'authflow', command: 'test' }, folder),
    ]);
  }

  resolveTask(task) {
    return this.task(task.definition, task.scope);
  }

  task(definition, scope) {
    const args = [definition.command, definition.path || '.', ...(definition.arguments || [])];
    const task = new vscode.Task(
      definition, scope || vscode.TaskScope.Workspace, definition.command, 'authflow',
      new vscode.ProcessExecution(program(), args), ['$authflow']);
    task.group = definition.command === 'test' ? vscode.TaskGroup.Test : vscode.TaskGroup.Build;
    return task;
  }
}

// --- MCP server for coding agents

class MCPServers {
  provideMcpServerDefinitions() {
    return (vscode.workspace.workspaceFolders || []).map((folder) => {
      const server = new vscode.McpStdioServerDefinition(`authflow (${folder.name})`, program(), ['mcp']);
      server.cwd = folder.uri;
      return server;
    });
  }
}

async function activate(context) {
  const tests = new ScenarioTests(vscode, () => client);
  context.subscriptions.push(
    vscode.commands.registerCommand('authflow.restartServer', () => restartClient()),
    vscode.commands.registerCommand('authflow.showOutput', () => client?.outputChannel.show()),
    vscode.commands.registerCommand('authflow.debugFile', () => debugFile(tests)),
    vscode.commands.registerCommand('authflow.diagnoseText', () => diagnose()),
    vscode.debug.registerDebugAdapterDescriptorFactory('authflow', new DebugAdapters()),
    vscode.debug.registerDebugConfigurationProvider('authflow', new DebugConfigurations()),
    vscode.tasks.registerTaskProvider('authflow', new Tasks()),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration('authflow.path') || event.affectsConfiguration('authflow.arguments')) {
        await restartClient();
      } else if (event.affectsConfiguration('authflow.trace.server')) {
        await setTrace();
      }
    }),
    tests);
  if (vscode.lm?.registerMcpServerDefinitionProvider) {
    context.subscriptions.push(vscode.lm.registerMcpServerDefinitionProvider('authflow', new MCPServers()));
  }
  await startClient();
  tests.start();
}

async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
