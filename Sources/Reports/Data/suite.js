// Opens the archived pages of a report: expands a page when the user selects it, and shows it in a frame.
// The script does not use the network. The frame has the same content security policy as this page.
(() => {
'use strict';
const data = id => document.getElementById(id).textContent;
const pages = JSON.parse(data('archive-pages'));
const phrases = data('archive-phrases').trim();
let pieces;
const digit = code => code === 95 ? 63 : code > 96 ? code - 71 : code > 64 ? code - 65 : code === 45 ? 62 : code + 4;
const number = at => {
  let value = 0;
  for (let index = at; index < at + 4; index += 1) value = value * 64 + digit(phrases.charCodeAt(index));
  return value;
};

// A phrase is an earlier phrase plus one piece.
const expand = position => {
  pieces = pieces || JSON.parse(data('archive-pieces'));
  const [, start, end] = pages[position];
  const parts = [];
  for (let phrase = start; phrase < end; phrase += 1) {
    const text = [];
    for (let at = phrase + 1; at > 0; at = number((at - 1) * 8)) text.push(pieces[number((at - 1) * 8 + 4)]);
    parts.push(text.reverse().join(''));
  }
  return parts.join('');
};

// Each panel shows one page. A second panel compares two pages.
const fill = (panel, position) => {
  const frame = panel.querySelector('iframe');
  if (frame.dataset.page === String(position)) return;
  frame.dataset.page = String(position);
  frame.title = 'Run: ' + pages[position][0];
  frame.srcdoc = expand(position);
  panel.querySelector('.panel-name').textContent = pages[position][0];
};
// A frame without a URL resolves links against this page, so the script follows the links within the run.
document.querySelectorAll('#viewer iframe').forEach(frame => frame.addEventListener('load', () => {
  const run = frame.contentWindow;
  run.document.addEventListener('click', event => {
    const link = event.target.closest && event.target.closest('a[href^="#"]');
    if (!link) return;
    event.preventDefault();
    run.location.hash = link.getAttribute('href');
  });
}));
const viewer = document.getElementById('viewer');
const panels = [...viewer.querySelectorAll('.panel')];
let opener;
const show = positions => {
  panels.forEach((panel, index) => {
    panel.hidden = index >= positions.length;
    if (index < positions.length) fill(panel, positions[index]);
  });
  viewer.showModal();
};
document.addEventListener('click', event => {
  const button = event.target.closest && event.target.closest('button[data-runs]');
  if (!button) return;
  opener = button;
  show(button.dataset.runs.split(' ').map(Number));
});
document.getElementById('viewer-close').addEventListener('click', () => viewer.close());
viewer.addEventListener('close', () => { if (opener) opener.focus(); });
document.querySelectorAll('button[data-runs]').forEach(button => { button.hidden = false; });
})();
