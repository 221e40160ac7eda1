// Stand-ins for the modules `vscode` and `vscode-languageclient/node`. They record what the extension registers.
'use strict';
const Module = require('node:module');

class Disposable {
  dispose() {}
}

class Items {
  constructor(parent) {
    this.parent = parent;
    this.map = new Map();
  }

  get size() { return this.map.size; }
  get(id) { return this.map.get(id); }
  add(item) { this.map.set(item.id, item); item.parent = this.parent; }
  delete(id) { this.map.delete(id); }
  replace(items) { this.map.clear(); items.forEach((item) => this.add(item)); }
  forEach(body) { this.map.forEach((item) => body(item)); }
}

class Uri {
  constructor(value) { this.value = value; }
  static file(value) { return new Uri(`file://${value}`); }
  static parse(value) { return new Uri(value); }
  get scheme() { return this.value.split(':')[0]; }
  get fsPath() { return this.value.replace('file://', ''); }
  toString() { return this.value; }
}

class Emitter {
  constructor() { this.listeners = []; }
  get event() { return (listener) => { this.listeners.push(listener); return new Disposable(); }; }
  async fire(value) { for (const listener of this.listeners) await listener(value); }
}

function makeEditor({ configuration = {}, respond = () => null, failToStart = false } = {}) {
  const recorded = {
    commands: {}, adapters: {}, configurations: {}, tasks: {}, mcp: {}, clients: [], debugged: [], shown: [], runs: [], controllers: [],
  };
  const events = { configuration: new Emitter(), open: new Emitter(), change: new Emitter(), close: new Emitter() };
  class LanguageClient {
    constructor(id, name, server, options) {
      Object.assign(this, { id, name, server, options, running: false, requests: [] });
      this.outputChannel = { show: () => recorded.shown.push('output') };
      recorded.clients.push(this);
    }

    async start() {
      if (failToStart) throw new Error('no such program');
      this.running = true;
    }

    async stop() { this.running = false; }
    isRunning() { return this.running; }
    async setTrace(level) { this.trace = level; }
    async sendRequest(method, params) { this.requests.push([method, params]); return respond(method, params); }
  }
  const record = (table) => (id, value) => { recorded[table][id] = value; return new Disposable(); };
  const folder = { uri: Uri.file('/project'), name: 'project', index: 0 };
  const vscode = {
    Uri,
    Range: class { constructor(...values) { this.values = values; } },
    Location: class { constructor(uri, range) { Object.assign(this, { uri, range }); } },
    Task: class {
      constructor(definition, scope, name, source, execution, problemMatchers) {
        Object.assign(this, { definition, scope, name, source, execution, problemMatchers });
      }
    },
    TaskScope: { Workspace: 2 },
    TaskGroup: { Build: 'build', Test: 'test' },
    ProcessExecution: class { constructor(process, args) { Object.assign(this, { process, args }); } },
    DebugAdapterExecutable: class { constructor(command, args) { Object.assign(this, { command, args }); } },
    McpStdioServerDefinition: class { constructor(label, command, args) { Object.assign(this, { label, command, args }); } },
    TestMessage: class { constructor(message) { this.message = message; } },
    TestRunProfileKind: { Run: 1, Debug: 2 },
    commands: { registerCommand: record('commands'), executeCommand: async (command, ...args) => respond(command, { arguments: args }) },
    env: { clipboard: { readText: async () => recorded.clipboard } },
    debug: {
      registerDebugAdapterDescriptorFactory: record('adapters'),
      registerDebugConfigurationProvider: record('configurations'),
      startDebugging: async (scope, value) => { recorded.debugged.push([scope, value]); return true; },
    },
    tasks: { registerTaskProvider: record('tasks') },
    lm: { registerMcpServerDefinitionProvider: record('mcp') },
    languages: { match: () => 10 },
    tests: {
      createTestController(id, label) {
        const controller = {
          id, label, items: new Items(undefined), profiles: [], dispose() {},
          createRunProfile(name, kind, handler) { this.profiles.push({ name, kind, handler }); return new Disposable(); },
          createTestItem(itemID, itemLabel, uri) {
            const item = { id: itemID, label: itemLabel, uri };
            item.children = new Items(item);
            return item;
          },
          createTestRun() {
            const run = { results: [] };
            for (const state of ['enqueued', 'started', 'passed', 'failed', 'errored', 'skipped']) {
              run[state] = (item, detail) => run.results.push([state, item.id, detail]);
            }
            run.end = () => run.results.push(['end']);
            recorded.runs.push(run);
            return run;
          },
        };
        recorded.controllers.push(controller);
        return controller;
      },
    },
    window: {
      activeTextEditor: undefined,
      showErrorMessage: async (text) => { recorded.shown.push(text); },
      showInformationMessage: async (text) => { recorded.shown.push(text); },
      showTextDocument: async (text) => { recorded.shown.push(text); },
      showQuickPick: async (items) => items[0],
    },
    workspace: {
      workspaceFolders: [folder],
      textDocuments: [],
      openTextDocument: async ({ content }) => content,
      getWorkspaceFolder: () => folder,
      asRelativePath: (uri) => uri.fsPath.replace('/project/', ''),
      getConfiguration: () => ({ get: (name) => configuration[name] }),
      onDidChangeConfiguration: events.configuration.event,
      onDidOpenTextDocument: events.open.event,
      onDidChangeTextDocument: events.change.event,
      onDidCloseTextDocument: events.close.event,
    },
  };
  const modules = {
    vscode,
    'vscode-languageclient/node': { LanguageClient, Trace: { Off: 0, Messages: 1, Verbose: 3 } },
  };
  const load = Module._load;
  Module._load = (name, ...rest) => modules[name] ?? load(name, ...rest);
  for (const file of ['../extension.js', '../scenarios.js']) delete require.cache[require.resolve(file)];
  const extension = require('../extension.js');
  Module._load = load;
  return { extension, recorded, events, vscode, context: { subscriptions: [] } };
}

module.exports = { makeEditor, Uri };
