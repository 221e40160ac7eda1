// The page of authflow studio. All state is in the folder's files, except the setup, which is the list of events in the strip.
// When the user saves the setup, it becomes a scenario.
import { attempt, byId, call, findingItem, item, make, report, showOnly, showReport, textOf } from './common.js';
import { prepareDiagnosis } from './diagnosis.js';
import { loadDirectory } from './directory.js';
import { prepareEmulator, setEmulatorWorkflow } from './emulator.js';
import { equivalent, eventForm } from './form.js';
import { showLessons } from './lessons.js';
import { breakpoints, drawMachine } from './machine.js';
import { endSession, prepareNow, startSession, whenSessionChanges } from './session.js';

/// The scenario whose events are in the strip. It does not change when the user edits the events.
let opened = null;
let adder;
let project = null, workflow = null, given = [], before = {}, scenario = null, last = null, running = 0;

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
    return item(button);
  }));
  byId('files').replaceChildren(...project.files.filter(file => !file.isWorkflow).map(file => {
    const element = make('li', file.name, { title: file.kind });
    element.append(...entry(file));
    return element;
  }));
  if (!byId('workflows').children.length) byId('workflows').append(make('li', 'No workflows in this folder', { class: 'dim' }));
  showFindings(project.findings);
};

const showFindings = findings => {
  byId('findings').replaceChildren(...findings.map(findingItem));
  if (!findings.length) byId('findings').append(make('li', 'No findings', { class: 'dim' }));
};

const load = async () => {
  project = await call('/api/project');
  showProject();
};

/// Marks the selected navigation entry, and ends the run of the previous entry.
const enter = async button => {
  await endSession();
  running += 1;
  for (const other of document.querySelectorAll('.side [aria-pressed=true]')) other.setAttribute('aria-pressed', 'false');
  if (button) button.setAttribute('aria-pressed', 'true');
};

const select = async path => {
  // A run that starts before the workflow is loaded would run the previous workflow.
  byId('run').disabled = byId('step-through').disabled = true;
  await enter(null);
  workflow = await call(`/api/workflow?path=${encodeURIComponent(path)}`);
  scenario = opened = null;
  last = null;
  given = [];
  before = {};
  breakpoints.clear();
  setEmulatorWorkflow(path);
  showOnly('machine-section', 'setup', 'directory-section', 'findings-section', 'report-section');
  byId('title').textContent = workflow.name || path;
  byId('run').disabled = byId('step-through').disabled = !workflow.machine;
  drawMachine(workflow.machine || '');
  showScenarios();
  showStrip();
  showProject();
  showFindings(workflow.findings);
  report('');
  await showDirectory();
};

/// Shows the directory of the workflow or the scenario. A workflow with errors has no directory.
const showDirectory = async () => {
  byId('directory-section').hidden = !workflow.machine;
  if (workflow.machine) await loadDirectory({ path: workflow.path, scenario: opened });
};

const showScenarios = () => {
  const list = (workflow.scenarios || []).map(each => {
    const button = make('button', each.name, { type: 'button', 'aria-pressed': String(scenario === each.name) });
    button.addEventListener('click', attempt(async () => {
      scenario = opened = each.name;
      given = structuredClone(each.given);
      before = structuredClone(each.before);
      showScenarios();
      showStrip();
      await run();
      await showDirectory();
    }));
    return item(button);
  });
  byId('scenarios').replaceChildren(...list);
  byId('opened').hidden = opened === null;
  byId('save-opened').textContent = `Update scenario ${opened}`;
  if (!list.length) byId('scenarios').append(make('li', 'No scenarios', { class: 'dim' }));
};

// The strip of events

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
  for (const [step, events] of Object.entries(before)) {
    events.forEach((event, index) => {
      const element = make('li', undefined, { class: 'later' });
      const text = `before ${step}: ${textOf(event)}`;
      const button = make('button', '×', { type: 'button', 'aria-label': `Remove ${text}` });
      button.addEventListener('click', () => {
        events.splice(index, 1);
        if (!events.length) delete before[step];
        changed();
      });
      element.append(make('span', text), button);
      list.append(element);
    });
  }
  if (!list.children.length) list.append(make('li', 'New device: no user has signed in', { class: 'empty' }));
  const lines = [`given:${given.length ? '' : ' []'}`, ...given.map(event => `  - ${textOf(event)}`)];
  if (Object.keys(before).length) {
    lines.push('before:');
    for (const [step, events] of Object.entries(before)) lines.push(`  ${step}:`, ...events.map(event => `    - ${textOf(event)}`));
  }
  byId('source').textContent = lines.join('\n');
};

const changed = attempt(async () => {
  scenario = null;
  last = null;
  showScenarios();
  showStrip();
  await run();
});

// Runs

/// The program to run: a scenario in the file, or an unsaved scenario with the setup in the strip.
const program = () => scenario !== null ? { path: workflow.path, scenario } : { path: workflow.path, given, before };

const run = async () => {
  if (!workflow) return;
  await endSession();
  // With breakpoints, or if the user completes the sign-in pages, the user controls the run.
  if (breakpoints.size || byId('sign-in').checked) return startSession(program(), false);
  const number = ++running;
  report('Running');
  const result = await call(scenario !== null ? '/api/run' : '/api/try', program());
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
  showReport(result.report);
};

whenSessionChanges(state => {
  if (!workflow || byId('setup').hidden) return;
  before = state.before;
  if (Object.keys(before).length) scenario = null;
  if (state.status === 'ended') last = state;
  showScenarios();
  showStrip();
  attempt(showDirectory)();
});

byId('run').addEventListener('click', attempt(run));
byId('step-through').addEventListener('click', attempt(() => startSession(program(), true)));
byId('reload').addEventListener('click', attempt(async () => {
  // The setup is not in a file, so preserve it during the reload.
  const setup = { given, before, opened };
  await load();
  if (!workflow) return;
  await select(workflow.path);
  ({ given, before } = setup);
  opened = (workflow.scenarios || []).some(each => each.name === setup.opened) ? setup.opened : null;
  showScenarios();
  showStrip();
  report('reloaded the files');
}));
byId('adder').addEventListener('submit', event => {
  event.preventDefault();
  if (!workflow) return report('select a workflow first', 'error');
  given.push(adder.event());
  adder.clear();
  changed();
});
/// The path and the outcome of the last run, or undefined.
const lastExpectation = () => {
  if (!last || !last.path) return undefined;
  return last.outcome ? { path: last.path, outcome: last.outcome } : { path: last.path };
};

byId('save-opened').addEventListener('click', attempt(async () => {
  const name = opened, expect = byId('save-path').checked ? lastExpectation() : undefined;
  if (byId('save-path').checked && !expect) throw new Error('run the workflow first');
  const saved = await call('/api/save', { path: workflow.path, name, given, before, expect, revision: workflow.revision, replace: true });
  byId('save-path').checked = false;
  await load();
  await select(workflow.path);
  const now = workflow.scenarios.find(each => each.name === name);
  scenario = opened = name;
  given = structuredClone(now.given);
  before = structuredClone(now.before);
  showScenarios();
  showStrip();
  report(`saved \`${name}\` in ${saved.file}`, 'passed');
}));
byId('saver').addEventListener('submit', attempt(async () => {
  if (!workflow) throw new Error('select a workflow first');
  const saved = await call('/api/save', {
    path: workflow.path, name: byId('name').value, given, before, expect: lastExpectation(), revision: workflow.revision });
  const name = byId('name').value;
  byId('name').value = '';
  await load();
  await select(workflow.path);
  report(`saved \`${name}\` in ${saved.file}`, 'passed');
}));

attempt(async () => {
  const events = await call('/api/events');
  prepareNow(events);
  adder = eventForm('adder', events, (declaration, event) => {
    byId('kind-summary').textContent = declaration.summary;
    byId('adder-equivalent').textContent = equivalent(declaration, event);
  });
  prepareDiagnosis(enter);
  await showLessons(enter);
  await load();
  const first = project.files.find(file => file.isWorkflow);
  if (first) await select(first.name);
  await prepareEmulator(enter);
})();
