// The chapters of `authflow learn`.
import { attempt, byId, call, findingItem, formatted, item, make, paragraphs, report, showOnly } from './common.js';
import { breakpoints, drawMachine } from './machine.js';
import { startSession } from './session.js';

let lesson = null;

const demonstration = name => {
  const button = make('button', `Run: ${name}`, { type: 'button' });
  button.addEventListener('click', attempt(() => startSession({ lesson: lesson.name, demonstration: name }, false)));
  const step = make('button', 'Step through', { type: 'button', 'aria-label': `Step through: ${name}` });
  step.addEventListener('click', attempt(() => startSession({ lesson: lesson.name, demonstration: name }, true)));
  const line = make('div', undefined, { class: 'line' });
  line.append(button, step);
  return [line];
};

const open = async name => {
  lesson = await call(`/api/lesson?name=${encodeURIComponent(name)}`);
  breakpoints.clear();
  showOnly('lesson', 'machine-section', 'report-section');
  byId('lesson-title').textContent = `${lesson.number}. ${lesson.title}`;
  byId('lesson-parts').replaceChildren(...lesson.parts.flatMap(part => {
    if (part.kind === 'text') return paragraphs(part.paragraphs);
    if (part.kind === 'workflow') return [make('pre', part.text, { class: 'frame', tabindex: '0' })];
    return demonstration(part.name);
  }));
  byId('lesson-task').replaceChildren(...paragraphs(lesson.task));
  byId('lesson-hints').replaceChildren(...lesson.hints.map(hint => item(...formatted(hint))));
  byId('exercise').value = lesson.exercise;
  byId('check-status').textContent = '';
  byId('check-results').replaceChildren();
  byId('title').textContent = 'State machine for this lesson';
  byId('run').disabled = byId('step-through').disabled = true;
  drawMachine(lesson.machine);
  report('');
};

/// Fills the list of lessons.
export const showLessons = async select => {
  const lessons = await call('/api/lessons');
  byId('lessons').replaceChildren(...lessons.map(each => {
    const button = make('button', `${each.number}. ${each.title}`, { type: 'button', title: each.summary, 'aria-pressed': 'false' });
    button.addEventListener('click', attempt(async () => {
      await select(button);
      await open(each.name);
    }));
    return item(button);
  }));
};

byId('check').addEventListener('click', attempt(async () => {
  byId('check-status').textContent = 'Checking';
  const result = await call('/api/exercise', { lesson: lesson.name, text: byId('exercise').value });
  byId('check-status').textContent = result.solved ? '✓ Solved' : '✗ Not solved yet';
  byId('check-status').className = result.solved ? 'passed' : 'failed';
  byId('check-results').replaceChildren(
    ...result.findings.map(findingItem), ...result.notes.map(note => make('li', note, { class: 'dim' })),
    ...result.scenarios.map(each => make('li', `${each.passed ? '✓' : '✗'} ${each.name}${each.failures.length ? `: ${each.failures.join('; ')}` : ''}`)));
}, text => { byId('check-status').textContent = text; }));
