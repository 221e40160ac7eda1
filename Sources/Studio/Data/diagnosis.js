// Diagnoses failures from logs and errors that the user pastes.
import { attempt, byId, call, item, make, paragraphs, showOnly } from './common.js';

const heading = text => make('h3', text);

const show = result => {
  const content = [];
  if (result.determined) content.push(make('p', `Cause: ${result.title}`, { class: 'strong' }));
  else content.push(make('p', 'The text does not contain enough information to determine the cause.', { class: 'strong' }), ...paragraphs([result.needs]));
  content.push(...paragraphs([result.explanation]));
  if (result.fix) content.push(heading('Fix'), ...paragraphs([result.fix]));
  content.push(heading('Evidence'));
  const evidence = make('ul', undefined, { class: 'findings' });
  evidence.append(...result.evidence.map(each => item(make('code', `line ${each.line}`), each.text)));
  content.push(evidence, heading('Candidates'));
  const candidates = make('ol');
  candidates.append(...result.candidates.map(each => item(make('code', each.cause), ` ${Math.round(each.score * 100)} %`)));
  content.push(candidates);
  byId('diagnosis-result').replaceChildren(...content);
};

/// Sets up the button that opens the diagnosis section.
export const prepareDiagnosis = select => {
  const button = byId('open-diagnosis');
  button.addEventListener('click', attempt(async () => {
    await select(button);
    showOnly('diagnosis');
    byId('log').focus();
  }));
};

byId('diagnose').addEventListener('click', attempt(async () => {
  byId('diagnose-status').textContent = '';
  byId('diagnosis-result').replaceChildren();
  show(await call('/api/diagnose', { text: byId('log').value }));
}, text => { byId('diagnose-status').textContent = text; }));
