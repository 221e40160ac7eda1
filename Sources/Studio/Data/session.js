// The run that the user controls: its position, its values, and its sign-in pages.
import { attempt, byId, call, make, report, showReport, textOf } from './common.js';
import { controlRequest, equivalent, eventForm } from './form.js';
import { breakpoints, drawMachine, whenBreakpointsChange } from './machine.js';

let view = { status: 'idle' };
let before = {};
let finished = () => {};

/// Sets the function to call when the state of the run or the events before its steps change.
export const whenSessionChanges = action => { finished = action; };

const isActive = () => ['stopped', 'page', 'running'].includes(view.status);

// Values

const valueElement = (name, value) => {
  const members = value !== null && typeof value === 'object' ? Object.entries(value) : null;
  if (!members) {
    const line = make('div', undefined, { class: 'leaf' });
    line.append(make('span', `${name}: `, { class: 'dim' }), make('code', typeof value === 'string' ? value : JSON.stringify(value)));
    return line;
  }
  const details = make('details');
  const count = members.length;
  const summary = make('summary', name);
  summary.append(make('span', count ? ` ${count}` : ' empty', { class: 'dim' }));
  details.append(summary);
  // Large values are rendered only when the user expands them.
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1) details.append(...members.map(([key, inner]) => valueElement(key, inner)));
  });
  return details;
};

const openScopes = new Set(['Captures', 'Account', 'Clock']);

const showScopes = scopes => {
  byId('scopes').replaceChildren(...scopes.map(scope => {
    const element = valueElement(scope.name, scope.value);
    element.classList.add('scope');
    element.addEventListener('toggle', () => openScopes[element.open ? 'add' : 'delete'](scope.name));
    if (openScopes.has(scope.name)) element.open = true;
    return element;
  }));
};

// State

const placeText = () => {
  if (view.status === 'page') return 'The run is waiting for you to complete a sign-in page.';
  const where = view.file ? ` (${view.file}:${view.line})` : '';
  return view.at ? `Suspended ${view.at}${where}` : '';
};

const apply = next => {
  view = next;
  const simulated = {};
  for (const { step, event } of view.simulated || []) if (step) (simulated[step] ||= []).push(event);
  const merged = structuredClone(before);
  for (const [step, events] of Object.entries(simulated)) merged[step] = [...(merged[step] || []), ...events];
  byId('session').hidden = !isActive();
  byId('place').textContent = placeText();
  for (const button of document.querySelectorAll('[data-command]')) {
    button.disabled = view.status !== 'stopped' && button.dataset.command !== 'end';
  }
  byId('now').hidden = byId('evaluator').hidden = view.status !== 'stopped';
  byId('value-of').textContent = '';
  byId('sign-in-page').hidden = !view.page;
  if (view.page) {
    byId('page-title').textContent = `${view.page.title} (${view.page.url})`;
    const path = `/sign-in/${view.page.number}`;
    const frame = byId('page');
    if (new URL(frame.contentWindow.location.href, location.href).pathname !== path) frame.src = path;
  }
  showScopes(view.scopes || []);
  if (view.machine) drawMachine(view.machine, view.step);
  showReport(view.report);
  const path = (view.path || []).join(' → ');
  if (view.status === 'ended') {
    const failures = view.failures || [];
    if (view.passed === undefined) report(`Ended: ${path}`);
    else report(`${view.passed ? '✓' : '✗'} ${path}${failures.length ? `: ${failures.join('; ')}` : ''}`, view.passed ? 'passed' : 'failed');
  } else if (isActive()) {
    report(placeText());
  }
  finished({ before: merged, path: view.path, outcome: view.outcome, status: view.status });
};

let form, declarations = [];

/// Sets up the form that simulates events during a suspended run.
export const prepareNow = events => {
  declarations = events;
  form = eventForm('now', events, (declaration, event) => {
    byId('now-equivalent').textContent = `${declaration.summary}. ${equivalent(declaration, event)}`;
  });
};

/// Starts a run that the user controls.
export const startSession = async (request, stopOnEntry) => {
  before = request.before || {};
  report('Running');
  apply(await call('/api/session/start', {
    ...request, stopOnEntry, signIn: byId('sign-in').checked, breakpoints: [...breakpoints] }));
  if (isActive()) byId('session').scrollIntoView({ block: 'nearest' });
};

/// Ends the run, for example because the user selected another workflow.
export const endSession = async () => {
  if (isActive()) apply(await call('/api/session/command', { command: 'end' }));
};

const command = async name => apply(await call('/api/session/command', { command: name }));

for (const button of document.querySelectorAll('[data-command]')) {
  button.addEventListener('click', attempt(() => command(button.dataset.command)));
}
byId('now').addEventListener('submit', attempt(async () => {
  const event = form.event(), declaration = declarations.find(each => each.name === byId('now-kind').value);
  apply(await call('/api/session/simulate', { event: typeof event === 'string' ? event : JSON.stringify(event) }));
  form.clear();
  const last = (view.simulated || []).at(-1);
  const line = last && last.step ? `before: { ${last.step}: [${textOf(event)}] }` : `simulate: ${textOf(event)}`;
  report(`${textOf(event)} occurred. In a workflow: ${line}.${controlRequest(declaration, event)}`);
}));
byId('evaluator').addEventListener('submit', attempt(async () => {
  const { value } = await call('/api/session/value', { expression: byId('expression').value });
  byId('value-of').textContent = typeof value === 'string' ? value : JSON.stringify(value);
}, text => { byId('value-of').textContent = text; }));
byId('complete-page').addEventListener('click', attempt(async () => apply(await call('/api/session/complete-page', {}))));
byId('close-page').addEventListener('click', attempt(async () => apply(await call('/api/session/close-page', {}))));
// The frame loads the next page after the user completes one.
byId('page').addEventListener('load', attempt(async () => { if (view.status === 'page') apply(await call('/api/session')); }));
whenBreakpointsChange(attempt(async () => {
  if (isActive()) await call('/api/session/breakpoints', { breakpoints: [...breakpoints] });
}));
document.addEventListener('keydown', event => {
  const keys = { F8: 'continue', F10: 'next', F11: 'stepIn' };
  if (view.status !== 'stopped' || !keys[event.key] || event.shiftKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  attempt(() => command(keys[event.key]))();
});
