// Functions shared by all parts of the page.
import { yaml } from '/_page/control.js';

export const byId = id => document.getElementById(id);

export const make = (name, text, attributes = {}) => {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

export const item = (...content) => {
  const element = make('li');
  element.append(...content);
  return element;
};

/// Sends a request to the studio. With a body, the request is a POST request.
export const call = async (path, body) => {
  const response = await fetch(path, body === undefined ? {} : {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  const json = await response.json();
  if (!response.ok) throw new Error(json.error || response.statusText);
  return json;
};

export const report = (text, kind) => {
  byId('status').textContent = text;
  byId('status').className = kind || '';
};

/// Returns an event handler that shows errors in a status line.
export const attempt = (action, show = text => report(text, 'error')) => async event => {
  if (event) event.preventDefault();
  try { await action(event); } catch (error) { show(error.message); }
};

export const findingItem = finding => {
  const element = make('li', undefined, { class: finding.severity });
  element.append(make('code', `${finding.file}:${finding.line}`), `${finding.severity}: ${finding.message}`);
  if (finding.help) element.append(make('p', `help: ${finding.help}`, { class: 'dim' }));
  return element;
};

/// Converts text to elements. Text in backticks becomes code.
export const formatted = text => text.split('`').map((part, index) => index % 2 ? make('code', part) : part);

export const paragraphs = texts => texts.map(text => {
  const element = make('p');
  element.append(...formatted(text));
  return element;
});

// Events

export const nameOf = event => typeof event === 'string' ? event : Object.keys(event)[0];
export const textOf = event => {
  if (typeof event === 'string') return event;
  const name = nameOf(event);
  return `${name}: ${yaml(event[name])}`;
};

/// Parses an event's value as JSON. If the value is not JSON, the function returns it as text.
export const parsedValue = text => {
  if (!text.trim()) return undefined;
  try { return JSON.parse(text); } catch { return text.trim(); }
};

/// Shows a report below the state machine.
export const showReport = path => {
  if (!path) return;
  byId('report').src = path;
  byId('report').hidden = false;
  byId('no-report').hidden = true;
  byId('report-link').href = path;
  byId('report-link').hidden = false;
};

/// Shows the given sections and hides all others.
export const showOnly = (...ids) => {
  for (const id of ['lesson', 'diagnosis', 'emulator', 'setup', 'directory-section', 'machine-section', 'findings-section', 'report-section']) byId(id).hidden = !ids.includes(id);
  if (!ids.includes('machine-section')) byId('session').hidden = true;
};
