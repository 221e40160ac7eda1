// Forms for events. The fields come from the events' JSON Schema, which the server generates from the event declarations.
import { byId, make, parsedValue, textOf } from './common.js';

const alternatives = schema => (schema.anyOf || schema.oneOf || [schema]).flatMap(each => each.anyOf || each.oneOf ? alternatives(each) : [each]);
const suggestions = { user: 'known-users', users: 'known-users', apps: 'known-apps', policyRemoved: 'known-policies' };

const labeled = (key, input, schema, isRequired) => {
  const label = make('label', isRequired ? `${key} (required)` : key);
  label.append(input);
  if (schema.description) label.title = schema.description;
  return label;
};

const selection = (key, words) => {
  const select = make('select', undefined, { 'data-key': key });
  select.append(...['', ...words].map(word => make('option', word, { value: word })));
  return select;
};

/// Returns a text field. If the schema also allows lists or numbers, the field parses its value.
const textField = (key, schema, all, isRequired) => {
  const input = make('input', undefined, { autocomplete: 'off', spellcheck: 'false', 'data-key': key });
  if (suggestions[key]) input.setAttribute('list', suggestions[key]);
  if (schema.description) input.placeholder = schema.description;
  const isText = all.every(each => each.type === 'string');
  const isList = all.some(each => each.type === 'array');
  const value = () => {
    const text = input.value.trim();
    if (!text) return undefined;
    if (isText || text.startsWith('${')) return text;
    if (isList && !/^[[{]/.test(text)) {
      const parts = text.split(',').map(part => part.trim()).filter(Boolean);
      return parts.length > 1 ? parts : text;
    }
    return parsedValue(text);
  };
  return { elements: [labeled(key, input, schema, isRequired)], value };
};

/// Returns the elements of a field, and a function that returns its value or undefined.
const field = (key, schema, isRequired, isNested) => {
  const all = alternatives(schema);
  // A nested value that can be a string is a text field, which also accepts JSON.
  const isString = all.some(each => each.type === 'string' && !each.enum);
  const object = isNested && isString ? undefined : all.find(each => each.properties);
  const words = all.flatMap(each => each.enum || []).filter(word => typeof word === 'string');
  if (all.some(each => each.maxProperties === 0)) return { elements: [], value: () => undefined };
  if (!object && words.length) {
    const select = selection(key, words);
    return { elements: [labeled(key, select, schema, isRequired)], value: () => select.value || undefined };
  }
  if (!object && all.some(each => each.type === 'boolean')) {
    const select = selection(key, ['true', 'false']);
    return { elements: [labeled(key, select, schema, isRequired)], value: () => (select.value ? select.value === 'true' : undefined) };
  }
  if (!object) return textField(key, schema, all, isRequired);
  const members = Object.entries(object.properties).map(([name, each]) => [name, field(name, each, (object.required || []).includes(name), true)]);
  const word = words.length ? selection(key, words) : null;
  const value = () => {
    if (word && word.value) return word.value;
    const entries = members.map(([name, each]) => [name, each.value()]).filter(([, each]) => each !== undefined);
    // A string is short for a mapping with only the first key.
    if (isString && entries.length === 1 && entries[0][0] === members[0][0]) return entries[0][1];
    return entries.length ? Object.fromEntries(entries) : undefined;
  };
  const elements = [...(word ? [labeled(key, word, schema, isRequired)] : []), ...members.flatMap(([, each]) => each.elements)];
  if (!isNested) return { elements, value };
  const details = make('details', undefined, { class: 'group' });
  const summary = make('summary', isRequired ? `${key} (required)` : key);
  if (schema.description) summary.title = schema.description;
  const fields = make('div', undefined, { class: 'fields' });
  fields.append(...elements);
  details.append(summary, fields);
  return { elements: [details], value };
};

/// Fills a form with the fields of the selected event.
/// - Returns: An object with two methods: `event` returns the event, and `clear` empties the fields.
export const eventForm = (prefix, events, describe) => {
  const kind = byId(`${prefix}-kind`), fields = byId(`${prefix}-fields`);
  kind.replaceChildren(...events.map(event => make('option', event.name, { value: event.name })));
  let current;
  const selected = () => events.find(event => event.name === kind.value);
  const event = () => {
    const value = current.value();
    return value === undefined ? kind.value : { [kind.value]: value };
  };
  const update = () => describe(selected(), event());
  const show = () => {
    current = field(kind.value, selected().schema, false, false);
    fields.replaceChildren(...current.elements);
    update();
  };
  kind.addEventListener('change', show);
  fields.addEventListener('input', update);
  show();
  return { event, clear: show };
};

/// Returns a sentence with the control request that has the same effect on an emulator, or an empty string.
export const controlRequest = (declaration, event) => declaration.isControlRequest
  ? ` On an emulator: POST /_authflow/events with ${JSON.stringify([event])}` : '';

/// Returns an event's workflow line and control request as text.
export const equivalent = (declaration, event) => `In a workflow: - ${textOf(event)}.${controlRequest(declaration, event)}`;
