// Shows scenarios in the Test Explorer. The code lenses of the language server contain the scenarios and the commands that run them.
'use strict';

const FILES = '**/*.{yaml,yml,json,plist}';

class ScenarioTests {
  constructor(vscode, client) {
    this.vscode = vscode;
    this.client = client;
    this.controller = vscode.tests.createTestController('authflow', 'authflow');
    this.controller.refreshHandler = () => this.discover();
    this.profile = this.controller.createRunProfile(
      'Run', vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
    this.debugProfile = this.controller.createRunProfile(
      'Debug', vscode.TestRunProfileKind.Debug, (request) => this.debug(request), true);
    this.subscriptions = [];
  }

  dispose() {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.controller.dispose();
  }

  start() {
    const { workspace } = this.vscode;
    this.subscriptions.push(
      workspace.onDidOpenTextDocument((document) => this.update(document)),
      workspace.onDidChangeTextDocument(({ document }) => this.update(document)),
      workspace.onDidCloseTextDocument((document) => this.controller.items.delete(document.uri.toString())));
    return this.discover();
  }

  // Finds the scenarios in open documents. Opening every file in a workspace would slow down the editor, so scenarios in other
  // files appear when the user opens the files.
  async discover() {
    for (const document of this.vscode.workspace.textDocuments) await this.update(document);
  }

  // Returns the code lenses with this command, each with the name of its scenario.
  async lenses(uri, command = 'authflow.run') {
    const client = this.client();
    if (!client?.isRunning()) return [];
    const lenses = await client.sendRequest('textDocument/codeLens', { textDocument: { uri: uri.toString() } });
    return (lenses || []).filter((lens) => lens.command?.command === command && lens.command.arguments?.[1]);
  }

  async scenarioNames(uri) {
    return (await this.lenses(uri)).map((lens) => lens.command.arguments[1]);
  }

  async update(document) {
    if (document.uri.scheme !== 'file' || !this.vscode.languages.match({ pattern: FILES }, document)) return;
    const id = document.uri.toString();
    const version = document.version;
    const lenses = await this.lenses(document.uri);
    if (document.version !== version) return; // A later change updates the items.
    if (!lenses.length) {
      this.controller.items.delete(id);
      return;
    }
    const file = this.controller.items.get(id)
      || this.controller.createTestItem(id, this.vscode.workspace.asRelativePath(document.uri), document.uri);
    file.children.replace(lenses.map((lens) => {
      const name = lens.command.arguments[1];
      const item = this.controller.createTestItem(name, name, document.uri);
      const { start, end } = lens.range;
      item.range = new this.vscode.Range(start.line, start.character, end.line, end.character);
      return item;
    }));
    this.controller.items.add(file);
  }

  // Returns the selected scenarios except the excluded ones.
  selected(request) {
    const found = [];
    const add = (item) => {
      if (request.exclude?.includes(item)) return;
      if (item.children.size) item.children.forEach(add);
      else if (item.parent) found.push(item);
    };
    if (request.include) request.include.forEach(add);
    else this.controller.items.forEach(add);
    return found;
  }

  async run(request, token) {
    const run = this.controller.createTestRun(request);
    const items = this.selected(request);
    items.forEach((item) => run.enqueued(item));
    for (const item of items) {
      if (token.isCancellationRequested) {
        run.skipped(item);
        continue;
      }
      run.started(item);
      const start = Date.now();
      try {
        const result = await this.client().sendRequest(
          'workspace/executeCommand', { command: 'authflow.run', arguments: [item.uri.toString(), item.id] }, token);
        if (result.status === 'passed') run.passed(item, Date.now() - start);
        else run.failed(item, this.messages(result), Date.now() - start);
      } catch (error) {
        run.errored(item, new this.vscode.TestMessage(error.message), Date.now() - start);
      }
    }
    run.end();
  }

  // Returns the failed expectations in a result, each with its location.
  messages(result) {
    const failures = [...(result.scenarios || []).flatMap(({ failures }) => failures || []), ...(result.errors || [])];
    if (!failures.length) return [new this.vscode.TestMessage(result.message || 'failed')];
    return failures.map(({ message, location }) => {
      const entry = new this.vscode.TestMessage(message);
      if (location) {
        const { start, end } = location.range;
        entry.location = new this.vscode.Location(
          this.vscode.Uri.parse(location.uri), new this.vscode.Range(start.line, start.character, end.line, end.character));
      }
      return entry;
    });
  }

  async debug(request) {
    const [item] = this.selected(request);
    if (!item) return;
    await this.vscode.debug.startDebugging(this.vscode.workspace.getWorkspaceFolder(item.uri), {
      type: 'authflow', request: 'launch', name: item.id, program: item.uri.fsPath, scenario: item.id, stopOnEntry: true,
    });
  }
}

module.exports = { ScenarioTests };
