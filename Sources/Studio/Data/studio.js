// The page of authflow studio. All state is in the files of the folder, except the situation in the strip, which becomes a scenario
// when the user saves it.
const byId = id => document.getElementById(id);
const make = (name, text, attributes = {}) => {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

const call = async (path, body) => {
  const response = await fetch(path, body === undefined ? {} : {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  const json = await response.json();
  if (!response.ok) throw new Error(json.error || response.statusText);
  return json;
};

let project = null, workflow = null, given = [], scenario = null, last = null, running = 0;

const report = (text, kind) => {
  byId('status').textContent = text;
  byId('status').className = kind || '';
};
const attempt = action => async event => {
  if (event) event.preventDefault();
  try { await action(event); } catch (error) { report(error.message, 'error'); }
};

// Files

const showProject = () => {
  byId('folder').textContent = project.folder;
  const entry = file => {
    const parts = [];
    if (file.errors) parts.push(make('span', `${file.errors} ✗`, { class: 'bad', 'aria-label': `${file.errors} errors` }));
    if (file.warnings) parts.push(make('span', `${file.warnings} !`, { class: 'turn', 'aria-label': `${file.warnings} warnings` }));
    return parts;
  };
  byId('workflows').replaceChildren(...project.files.filter(file => file.isWorkflow).map(file => {
    const button = make('button', file.name, { type: 'button', 'aria-pressed': String(workflow !== null && workflow.path === file.name) });
    button.append(...entry(file));
    button.addEventListener('click', attempt(() => select(file.name)));
    const item = make('li');
    item.append(button);
    return item;
  }));
  byId('files').replaceChildren(...project.files.filter(file => !file.isWorkflow).map(file => {
    const item = make('li', file.name, { title: file.kind });
    item.append(...entry(file));
    return item;
  }));
  if (!byId('workflows').children.length) byId('workflows').append(make('li', 'No workflows in this folder', { class: 'dim' }));
  showFindings(project.findings);
};

const showFindings = findings => {
  byId('findings').replaceChildren(...findings.map(finding => {
    const item = make('li', undefined, { class: finding.severity });
    item.append(make('code', `${finding.file}:${finding.line}`), `${finding.severity}: ${finding.message}`);
    if (finding.help) item.append(make('p', `help: ${finding.help}`, { class: 'dim' }));
    return item;
  }));
  if (!findings.length) byId('findings').append(make('li', 'No findings', { class: 'dim' }));
};

const load = async () => {
  project = await call('/api/project');
  showProject();
};

const select = async path => {
  workflow = await call(`/api/workflow?path=${encodeURIComponent(path)}`);
  scenario = null;
  last = null;
  given = [];
  byId('title').textContent = workflow.name || path;
  byId('run').disabled = !workflow.machine;
  drawMachine(workflow.machine || '');
  showScenarios();
  showStrip();
  showProject();
  showFindings(workflow.findings);
  report('');
};

// The server escapes all text in its drawings.
const drawMachine = svg => {
  const parsed = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg');
  byId('machine').replaceChildren(...(parsed ? [document.importNode(parsed, true)] : []));
};

const showScenarios = () => {
  const list = (workflow.scenarios || []).map(each => {
    const button = make('button', each.name, { type: 'button', 'aria-pressed': String(scenario === each.name) });
    button.addEventListener('click', attempt(async () => {
      scenario = each.name;
      given = structuredClone(each.given);
      showScenarios();
      showStrip();
      await run();
    }));
    const item = make('li');
    item.append(button);
    return item;
  });
  byId('scenarios').replaceChildren(...list);
  if (!list.length) byId('scenarios').append(make('li', 'No scenarios', { class: 'dim' }));
};

// The strip of events

const nameOf = event => typeof event === 'string' ? event : Object.keys(event)[0];
const textOf = event => {
  if (typeof event === 'string') return event;
  const name = nameOf(event), value = event[name];
  return `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
};

const showStrip = () => {
  const list = byId('strip');
  list.replaceChildren(...given.map((event, index) => {
    const item = make('li', undefined, { draggable: 'true' });
    item.append(make('span', textOf(event)));
    const action = (label, sign, change) => {
      const button = make('button', sign, { type: 'button', 'aria-label': `${label} ${textOf(event)}` });
      button.addEventListener('click', () => { change(); changed(); });
      item.append(button);
    };
    if (index > 0) action('Move earlier:', '←', () => given.splice(index - 1, 0, given.splice(index, 1)[0]));
    if (index < given.length - 1) action('Move later:', '→', () => given.splice(index + 1, 0, given.splice(index, 1)[0]));
    action('Remove', '×', () => given.splice(index, 1));
    item.addEventListener('dragstart', drag => {
      drag.dataTransfer.setData('text/plain', String(index));
      item.classList.add('dragged');
    });
    item.addEventListener('dragend', () => item.classList.remove('dragged'));
    item.addEventListener('dragover', drag => drag.preventDefault());
    item.addEventListener('drop', drag => {
      drag.preventDefault();
      const from = Number(drag.dataTransfer.getData('text/plain'));
      if (!(from >= 0) || from === index) return;
      given.splice(index, 0, given.splice(from, 1)[0]);
      changed();
    });
    return item;
  }));
  if (!given.length) list.append(make('li', 'A new device: nobody has signed in', { class: 'empty' }));
  byId('source').textContent = `given: ${given.length ? '' : '[]'}\n${given.map(event => `  - ${textOf(event)}`).join('\n')}`.trimEnd();
};

const changed = attempt(async () => {
  scenario = null;
  showScenarios();
  showStrip();
  await run();
});

// Values are JSON, or text.
const parsed = text => {
  if (!text.trim()) return undefined;
  try { return JSON.parse(text); } catch { return text.trim(); }
};

// Runs

const run = async () => {
  if (!workflow) return;
  const number = ++running;
  report('Running');
  const result = scenario !== null ? await call('/api/run', { path: workflow.path, scenario })
    : await call('/api/try', { path: workflow.path, given });
  if (number !== running) return;
  last = result;
  const failures = (result.failures || []).map(failure => failure.message);
  if (result.findings) {
    showFindings(result.findings);
    report(result.findings[0] ? result.findings[0].message : 'The workflow cannot run', 'error');
    return;
  }
  const path = (result.path || []).join(' → ');
  report(`${result.status === 'passed' ? '✓' : '✗'} ${path}${failures.length ? `: ${failures.join('; ')}` : ''}`, result.status);
  if (result.machine) drawMachine(result.machine);
  if (result.report) {
    byId('report').src = result.report;
    byId('report').hidden = false;
    byId('no-report').hidden = true;
    byId('report-link').href = result.report;
    byId('report-link').hidden = false;
  }
};

byId('run').addEventListener('click', attempt(run));
byId('reload').addEventListener('click', attempt(async () => {
  await load();
  if (workflow) await select(workflow.path);
}));
byId('adder').addEventListener('submit', event => {
  event.preventDefault();
  if (!workflow) return report('select a workflow first', 'error');
  const value = parsed(byId('value').value), name = byId('kind').value;
  given.push(value === undefined ? name : { [name]: value });
  byId('value').value = '';
  changed();
});
byId('saver').addEventListener('submit', attempt(async () => {
  if (!workflow) throw new Error('select a workflow first');
  const expect = last && last.path ? { path: last.path } : undefined;
  if (expect && last.outcome) expect.outcome = last.outcome;
  const saved = await call('/api/save', { path: workflow.path, name: byId('name').value, given, expect, revision: workflow.revision });
  const name = byId('name').value;
  byId('name').value = '';
  await load();
  await select(workflow.path);
  report(`saved \`${name}\` in ${saved.file}`, 'passed');
}));

attempt(async () => {
  const events = await call('/api/events');
  byId('kind').replaceChildren(...events.map(event => make('option', event.name, { value: event.name })));
  const describe = () => { byId('kind-summary').textContent = events.find(event => event.name === byId('kind').value).summary; };
  byId('kind').addEventListener('change', describe);
  describe();
  await load();
  const first = project.files.find(file => file.isWorkflow);
  if (first) await select(first.name);
})();
