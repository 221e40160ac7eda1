// Checks package.json and the activation of the extension. Run with `node --test`.
'use strict';
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { makeEditor, Uri } = require('./stand-ins');

const root = path.join(__dirname, '..');
const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
const { contributes } = manifest;

const LENSES = ['first run', 'second account'].flatMap((name, index) => [
  ['Run', 'authflow.run'], ['Debug', 'authflow.debug'], ['Report', 'authflow.report'],
].map(([title, command]) => ({
  range: { start: { line: 3 * index, character: 2 }, end: { line: 3 * index, character: 11 } },
  command: { title, command, arguments: ['file:///project/me.scenarios.yaml', name] },
})));

function respond(method, params) {
  if (method === 'textDocument/codeLens') return LENSES;
  if (params.arguments[1] === 'first run') return { status: 'passed', scenarios: [] };
  return {
    status: 'failed',
    scenarios: [{
      name: 'second account',
      failures: [{
        message: '`interactions` is 1, expected 7',
        location: { uri: 'file:///project/me.scenarios.yaml', range: { start: { line: 4, character: 6 }, end: { line: 4, character: 21 } } },
      }],
    }],
  };
}

async function activated(options) {
  const editor = makeEditor({ respond, ...options });
  await editor.extension.activate(editor.context);
  return editor;
}

function document(name, languageId = 'yaml') {
  const uri = Uri.file(`/project/${name}`);
  return { uri, languageId, version: 1, fileName: uri.fsPath };
}

test('files of contributions exist and are JSON', () => {
  for (const { path: name, scopeName } of contributes.grammars) {
    assert.equal(JSON.parse(fs.readFileSync(path.join(root, name), 'utf8')).scopeName, scopeName);
  }
  for (const { url } of [...contributes.yamlValidation, ...contributes.jsonValidation]) {
    assert.match(url, /^\.\/schemas\/[a-z]+\.schema\.json$/);
  }
});

test('the grammar finds expressions', () => {
  const grammar = JSON.parse(fs.readFileSync(path.join(root, contributes.grammars[0].path), 'utf8'));
  const { template } = grammar.repository;
  for (const text of ['${name}', '${env:HOME}', '${secret:PASSWORD}', '${silent.tokenSource}']) {
    assert.match(text, new RegExp(template.begin));
    assert.match(text, new RegExp(template.end));
  }
  for (const { match } of template.patterns) new RegExp(match.replace('\\G', ''));
});

test('the problem matcher reads findings', () => {
  const { pattern } = contributes.problemMatchers[0];
  const found = new RegExp(pattern.regexp).exec('Workflows/me.yaml:15:5: error: unknown step type `silnt`');
  assert.deepEqual(
    [pattern.file, pattern.line, pattern.column, pattern.severity, pattern.message].map((index) => found[index]),
    ['Workflows/me.yaml', '15', '5', 'error', 'unknown step type `silnt`']);
  assert.equal(new RegExp(pattern.regexp).exec('  15 |   - silnt'), null);
});

test('contributions are consistent with each other', () => {
  const commands = contributes.commands.map(({ command }) => command);
  for (const { command } of contributes.menus.commandPalette) assert.ok(commands.includes(command), command);
  // The client registers the commands of the server. A second registration would fail.
  for (const name of ['authflow.run', 'authflow.debug', 'authflow.report', 'authflow.addScenarios', 'authflow.diagnose']) {
    assert.ok(!commands.includes(name), name);
  }
  const [debuggerType] = contributes.debuggers;
  assert.deepEqual(contributes.breakpoints.map(({ language }) => language), debuggerType.languages);
  const { launch } = debuggerType.configurationAttributes;
  assert.deepEqual(Object.keys(launch.properties), ['program', 'scenario', 'stopOnEntry']);
  for (const configuration of debuggerType.initialConfigurations) assert.equal(configuration.type, debuggerType.type);
  for (const name of manifest.capabilities.untrustedWorkspaces.restrictedConfigurations) {
    assert.ok(contributes.configuration.properties[name], name);
  }
});

test('activation registers each contribution', async () => {
  const { recorded } = await activated();
  assert.deepEqual(Object.keys(recorded.commands).sort(), contributes.commands.map(({ command }) => command).sort());
  assert.deepEqual(Object.keys(recorded.adapters), contributes.debuggers.map(({ type }) => type));
  assert.deepEqual(Object.keys(recorded.configurations), contributes.debuggers.map(({ type }) => type));
  assert.deepEqual(Object.keys(recorded.tasks), contributes.taskDefinitions.map(({ type }) => type));
  assert.deepEqual(Object.keys(recorded.mcp), contributes.mcpServerDefinitionProviders.map(({ id }) => id));
});

test('activation starts the language server', async () => {
  const { recorded, extension } = await activated({ configuration: { path: '/opt/authflow', 'trace.server': 'verbose' } });
  const [client] = recorded.clients;
  assert.deepEqual(client.server.run, { command: '/opt/authflow', args: ['lsp'] });
  assert.ok(client.isRunning());
  assert.equal(client.trace, 3);
  await extension.deactivate();
  assert.ok(!client.isRunning());
});

test('a missing program is reported', async () => {
  const { recorded } = await activated({ failToStart: true });
  assert.match(recorded.shown[0], /cannot start authflow: no such program/);
});

test('a changed path restarts the server', async () => {
  const { recorded, events } = await activated();
  await events.configuration.fire({ affectsConfiguration: (name) => name === 'authflow.path' });
  assert.deepEqual(recorded.clients.map((client) => client.isRunning()), [false, true]);
  await events.configuration.fire({ affectsConfiguration: () => false });
  assert.equal(recorded.clients.length, 2);
});

test('the debugger starts the debug adapter', async () => {
  const { recorded, vscode } = await activated();
  const adapter = recorded.adapters.authflow.createDebugAdapterDescriptor();
  assert.deepEqual([adapter.command, adapter.args], ['authflow', ['dap']]);
  const provider = recorded.configurations.authflow;
  assert.equal(await provider.resolveDebugConfiguration(undefined, {}), undefined);
  vscode.window.activeTextEditor = { document: document('me.yaml') };
  assert.deepEqual(await provider.resolveDebugConfiguration(undefined, {}), {
    type: 'authflow', request: 'launch', name: 'me.yaml', stopOnEntry: true, program: '/project/me.yaml',
  });
  const complete = { type: 'authflow', request: 'launch', program: '/project/b2c.yaml' };
  assert.equal(await provider.resolveDebugConfiguration(undefined, complete), complete);
});

test('the lens Debug starts the debugger', async () => {
  const { recorded } = await activated();
  const { executeCommand } = recorded.clients[0].options.middleware;
  const configuration = { type: 'authflow', request: 'launch', program: '/project/me.yaml', scenario: 'first run' };
  assert.equal(await executeCommand('authflow.debug', [], async () => configuration), configuration);
  assert.deepEqual(recorded.debugged.map(([, value]) => value), [configuration]);
  await executeCommand('authflow.run', [], async () => ({ status: 'passed' }));
  assert.equal(recorded.debugged.length, 1);
});

test('a selected or copied failure is diagnosed', async () => {
  const { recorded, vscode } = await activated({
    respond: (command, { arguments: [text] }) => {
      assert.equal(command, 'authflow.diagnose');
      if (!text.includes('AADSTS')) throw new Error('the text does not show a failed sign-in');
      return { markdown: `### ${text}` };
    },
  });
  recorded.clipboard = 'AADSTS50011';
  await recorded.commands['authflow.diagnoseText']();
  vscode.window.activeTextEditor = { selection: { isEmpty: false }, document: { getText: () => 'AADSTS50173' } };
  await recorded.commands['authflow.diagnoseText']();
  vscode.window.activeTextEditor = undefined;
  recorded.clipboard = 'hello';
  await recorded.commands['authflow.diagnoseText']();
  assert.deepEqual(recorded.shown, [
    '### AADSTS50011', '### AADSTS50173', 'the text does not show a failed sign-in. Select a log or an error, or copy it.']);
});

test('tasks run the commands', async () => {
  const { recorded } = await activated();
  const provider = recorded.tasks.authflow;
  const tasks = provider.provideTasks();
  assert.deepEqual(tasks.map((task) => task.execution.args), [['validate', '.'], ['test', '.']]);
  const definition = { type: 'authflow', command: 'validate', path: 'Workflows', arguments: ['--strict'] };
  const task = provider.resolveTask({ definition, scope: undefined });
  assert.deepEqual(task.execution.args, ['validate', 'Workflows', '--strict']);
  assert.equal(task.definition, definition);
  assert.deepEqual(task.problemMatchers, contributes.problemMatchers.map(({ name }) => `$${name}`));
});

test('each folder has an MCP server', async () => {
  const { recorded } = await activated();
  const [server] = recorded.mcp.authflow.provideMcpServerDefinitions();
  assert.deepEqual([server.command, server.args, server.cwd.fsPath], ['authflow', ['mcp'], '/project']);
});

test('scenarios appear in the Test Explorer and run', async () => {
  const { recorded, events, vscode } = await activated();
  const [controller] = recorded.controllers;
  await events.open.fire(document('me.scenarios.yaml'));
  const file = controller.items.get('file:///project/me.scenarios.yaml');
  assert.deepEqual([...file.children.map.keys()], ['first run', 'second account']);
  const [run, debug] = controller.profiles;
  await run.handler({}, { isCancellationRequested: false });
  const finished = recorded.runs[0].results.filter(([state]) => ['passed', 'failed', 'end'].includes(state));
  assert.deepEqual(finished.map(([state, id]) => [state, id]), [['passed', 'first run'], ['failed', 'second account'], ['end', undefined]]);
  const [message] = finished[1][2];
  assert.equal(message.message, '`interactions` is 1, expected 7');
  assert.deepEqual(message.location.range.values, [4, 6, 4, 21]);
  await debug.handler({ include: [file.children.get('second account')] });
  assert.equal(recorded.debugged[0][1].scenario, 'second account');
  // The command asks for a scenario. The stand-in selects the first one.
  vscode.window.activeTextEditor = { document: document('me.scenarios.yaml') };
  await recorded.commands['authflow.debugFile']();
  assert.equal(recorded.debugged[1][1].scenario, 'first run');
  await events.close.fire(document('me.scenarios.yaml'));
  assert.equal(controller.items.size, 0);
});

test('a canceled run skips the remaining scenarios', async () => {
  const { recorded, events } = await activated();
  await events.open.fire(document('me.scenarios.yaml'));
  await recorded.controllers[0].profiles[0].handler({}, { isCancellationRequested: true });
  assert.deepEqual(recorded.runs[0].results.filter(([state]) => state === 'skipped').map(([, id]) => id), ['first run', 'second account']);
});
