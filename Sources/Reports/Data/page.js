// The interactive features of a page: search, filters, theme, replay, zoom, keyboard navigation, and highlighting of related items.
// The script does not create markup from text or send requests. The page is readable without it.
(() => {
'use strict';
const all = (what, inside) => [...(inside || document).querySelectorAll(what)];
const byId = id => document.getElementById(id);
const tools = byId('tools'), search = byId('search'), found = byId('found'), unfold = byId('unfold'), theme = byId('theme');
const bar = document.querySelector('nav.parts');
tools.hidden = false;
all('.filters').forEach(group => { group.hidden = false; });

// The theme: system, light, or dark. Without local storage, it applies until the page is closed.
const themes = ['system', 'light', 'dark'];
const stored = () => { try { return localStorage.getItem('authflow-theme'); } catch { return null; } };
const show = name => {
  if (name === 'system') delete document.documentElement.dataset.theme; else document.documentElement.dataset.theme = name;
  theme.textContent = 'Theme: ' + name;
};
let now = themes.includes(stored()) ? stored() : 'system';
show(now);
theme.addEventListener('click', () => {
  now = themes[(themes.indexOf(now) + 1) % themes.length];
  show(now);
  try { localStorage.setItem('authflow-theme', now); } catch {}
});

// Search and filters: an item is visible if its text contains all words and its kind matches the filter of its list.
const lists = all('[data-part]');
const items = new Map();
lists.forEach(list => items.set(list, all('.item', list).filter(item => !item.parentElement.closest('.entry,.write,.exchange,.token'))));
const texts = new WeakMap();
const textOf = item => {
  if (!texts.has(item)) texts.set(item, item.textContent.toLowerCase());
  return texts.get(item);
};
const filterOf = list => {
  const group = list.parentElement.querySelector('.filters');
  const chosen = group && group.querySelector('[aria-pressed=true]');
  return chosen ? chosen.dataset.filter : '';
};
const apply = () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(word => word);
  let count = 0;
  lists.forEach(list => {
    const filter = filterOf(list);
    items.get(list).forEach(item => {
      const kinds = (item.dataset.kind || '').split(' ');
      const matches = (!filter || kinds.includes(filter)) && words.every(word => textOf(item).includes(word));
      item.hidden = !matches;
      if (matches && words.length) count += 1;
    });
    // The parent step of a visible step is also visible.
    items.get(list).forEach(item => {
      const place = item.closest('li');
      if (item.hidden && place && items.get(list).some(other => other !== item && place.contains(other) && !other.hidden)) item.hidden = false;
    });
    all('.file-group', list).forEach(group => { group.hidden = !all('.item', group).some(item => !item.hidden); });
  });
  mark(words);
  found.textContent = !words.length ? '' : !hits.length ? count + ' found' : '';
  if (hits.length) showHit(0);
};

// Marks the matches in the visible items and moves between them.
const mostHits = 500;
let hits = [], hit = 0;
const unmark = () => {
  const parents = new Set();
  all('mark.hit').forEach(each => {
    parents.add(each.parentNode);
    each.replaceWith(...each.childNodes);
  });
  parents.forEach(parent => parent.normalize());
  hits = [];
};
const mark = words => {
  unmark();
  const tooShort = words.every(word => word.length < 2);
  if (words.length && !tooShort) {
    const pattern = new RegExp(words.map(word => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'gi');
    for (const list of lists) for (const item of items.get(list)) {
      if (item.hidden || hits.length >= mostHits || !words.some(word => textOf(item).includes(word))) continue;
      const walker = document.createTreeWalker(item, NodeFilter.SHOW_TEXT);
      const texts = [];
      while (walker.nextNode()) texts.push(walker.currentNode);
      texts.forEach(text => markText(text, pattern));
    }
  }
  byId('hits').hidden = hits.length < 2;
};
const markText = (text, pattern) => {
  if (!text.parentNode.closest || text.parentNode.closest('svg, iframe')) return;
  const ranges = [...text.data.matchAll(pattern)];
  for (let index = ranges.length - 1; index >= 0; index -= 1) {
    const word = text.splitText(ranges[index].index);
    word.splitText(ranges[index][0].length);
    const element = document.createElement('mark');
    element.className = 'hit';
    word.replaceWith(element);
    element.append(word);
    ranges[index] = element;
  }
  hits.push(...ranges);
};
const showHit = index => {
  if (!hits.length) return;
  if (hits[hit]) hits[hit].classList.remove('current');
  hit = (index + hits.length) % hits.length;
  const place = hits[hit];
  for (let at = place; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
  place.classList.add('current');
  place.scrollIntoView({ block: 'center' });
  const all = hits.length >= mostHits ? mostHits + '+' : hits.length;
  found.textContent = all === 1 ? '1 found' : (hit + 1) + ' of ' + all + ' found';
};
let waiting = 0;
search.addEventListener('input', () => { clearTimeout(waiting); waiting = setTimeout(apply, 80); });
byId('previous').addEventListener('click', () => showHit(hit - 1));
byId('next').addEventListener('click', () => showHit(hit + 1));
all('.filters button').forEach(button => button.addEventListener('click', () => {
  all('button', button.parentElement).forEach(other => other.setAttribute('aria-pressed', String(other === button)));
  apply();
}));

// Shows the target of a link and opens all `details` elements around it.
const reveal = () => {
  const id = decodeURIComponent(location.hash.slice(1));
  const place = id && byId(id);
  if (!place) return;
  let hidden = false;
  for (let at = place; at; at = at.parentElement) {
    if (at.tagName === 'DETAILS') at.open = true;
    if (at.hidden && at.classList.contains('item')) hidden = true;
  }
  if (hidden) {
    search.value = '';
    all('.filters').forEach(group => all('button', group).forEach((button, index) => button.setAttribute('aria-pressed', String(index === 0))));
    apply();
  }
  if (place.classList.contains('only')) instantOf(place);
  const top = place.getBoundingClientRect().top;
  // The navigation bar must not cover the start of the target.
  if (place.tagName === 'SECTION' || top < bar.offsetHeight || top > innerHeight - 120) place.scrollIntoView({ block: 'start' });
  chosen = place.closest('main > section');
  current();
  light(place);
};
window.addEventListener('hashchange', reveal);
document.addEventListener('click', event => {
  const link = event.target.closest && event.target.closest('a[href^="#"]');
  if (link && link.getAttribute('href') === location.hash) reveal();
});

// Highlights a step and its source line together.
let lit = [];
const light = place => {
  lit.forEach(other => other.classList.remove('with'));
  lit = [];
  const start = place && place.closest && place.closest('[data-with]');
  const other = start && byId(start.dataset.with);
  if (!other) return;
  lit = [start, other];
  lit.forEach(each => each.classList.add('with'));
  const box = other.closest('.source');
  if (box) {
    const top = other.getBoundingClientRect().top - box.getBoundingClientRect().top;
    if (top < 40 || top > box.clientHeight - 40) box.scrollTop += top - box.clientHeight / 3;
  }
};
document.addEventListener('mouseover', event => light(event.target));
document.addEventListener('focusin', event => light(event.target));

// Keyboard shortcuts: / focuses the search field, j and k move between items, and Escape clears the search.
const stops = () => all('.item > summary, .decision, .cell').filter(stop => stop.getClientRects().length > 0);
const go = step => {
  const list = stops();
  if (!list.length) return;
  let at = list.indexOf(document.activeElement);
  if (at < 0) {
    at = list.findIndex(stop => stop.getBoundingClientRect().top > 70);
    if (at < 0) at = list.length - 1;
    if (step < 0) at = Math.max(0, at - 1);
  } else at = Math.min(list.length - 1, Math.max(0, at + step));
  const stop = list[at];
  if (stop.tagName !== 'SUMMARY' && !stop.hasAttribute('tabindex')) stop.tabIndex = -1;
  stop.focus();
  stop.scrollIntoView({ block: 'nearest' });
};
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape' && document.activeElement === search) {
    search.value = '';
    apply();
    search.blur();
    return;
  }
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) {
    if (event.key === 'Enter' && document.activeElement === search) {
      event.preventDefault();
      if (hits.length) showHit(hit + (event.shiftKey ? -1 : 1)); else go(1);
    }
    return;
  }
  if (event.key === '/') { event.preventDefault(); search.focus(); search.select(); }
  else if (event.key === 'j') go(1);
  else if (event.key === 'k') go(-1);
  else if (event.key === 'ArrowLeft' && player && !canScroll(event.target)) { event.preventDefault(); move(instant - 1); }
  else if (event.key === 'ArrowRight' && player && !canScroll(event.target)) { event.preventDefault(); move(instant + 1); }
});
// Arrow keys scroll the drawings.
const canScroll = place => place.closest && place.closest('.scroll') && place.closest('.scroll').scrollWidth > place.closest('.scroll').clientWidth;

// Opens all details elements, or restores their previous state.
let opened = [];
const openAll = () => {
  opened = all('details').filter(each => !each.open);
  opened.forEach(each => { each.open = true; });
};
const restore = () => { opened.forEach(each => { each.open = false; }); opened = []; };
unfold.addEventListener('click', () => {
  const open = unfold.getAttribute('aria-pressed') !== 'true';
  unfold.setAttribute('aria-pressed', String(open));
  if (open) openAll(); else restore();
});
window.addEventListener('beforeprint', () => { if (unfold.getAttribute('aria-pressed') !== 'true') openAll(); });
window.addEventListener('afterprint', () => { if (unfold.getAttribute('aria-pressed') !== 'true') restore(); });

// Marks the current section in the navigation: the chosen one, or the last one that begins in the upper part of the window.
const links = new Map(all('nav.parts a').map(link => [link.getAttribute('href').slice(1), link]));
const sections = all('main > section');
let chosen = null, isWaiting = false;
const current = () => {
  isWaiting = false;
  const limit = bar.offsetHeight + innerHeight / 4;
  const section = chosen || sections.filter(each => each.getBoundingClientRect().top <= limit).pop() || sections[0];
  links.forEach((link, id) => {
    const isCurrent = section && id === section.id;
    if (isCurrent === link.hasAttribute('aria-current')) return;
    if (isCurrent) link.setAttribute('aria-current', 'true'); else link.removeAttribute('aria-current');
    const row = bar.firstElementChild;
    if (isCurrent && row.scrollWidth > row.clientWidth) row.scrollLeft = link.offsetLeft - row.clientWidth / 2 + link.offsetWidth / 2;
  });
};
document.addEventListener('scroll', () => { if (!isWaiting) { isWaiting = true; requestAnimationFrame(current); } }, { passive: true });
['wheel', 'touchmove', 'keydown', 'pointerdown'].forEach(kind => document.addEventListener(kind, event => {
  if (!event.target.closest || !event.target.closest('nav.parts')) chosen = null;
}, { passive: true }));

// The replay: all elements with a time show the state at the selected instant. At the end, the page shows the complete run.
const player = byId('player');
const moments = all('.event');
let instant = Math.max(0, moments.length - 1), timer = 0;
const timed = all('[data-at]').map(element => ({
  element, at: Number(element.dataset.at), until: element.dataset.until ? Number(element.dataset.until) : Infinity,
  spans: (element.dataset.spans || '').split(' ').filter(span => span).map(span => span.split('-')).map(span => [Number(span[0]), span[1] ? Number(span[1]) : Infinity]),
  isOnly: element.classList.contains('only'), isLater: false, isNow: false }));
const move = to => {
  if (!moments.length) return;
  instant = Math.min(moments.length - 1, Math.max(0, to));
  const isEnd = instant === moments.length - 1;
  const now = isEnd ? Infinity : Number(moments[instant].dataset.at);
  document.body.classList.toggle('replaying', !isEnd);
  timed.forEach(each => {
    const isLater = each.at > now, isNow = !isEnd && each.spans.some(span => span[0] <= now && now <= span[1]);
    if (isLater !== each.isLater) { each.isLater = isLater; each.element.classList.toggle('later', isLater); }
    if (isNow !== each.isNow) { each.isNow = isNow; each.element.classList.toggle('now', isNow); }
    if (each.isOnly) each.element.hidden = isLater || each.until <= now;
  });
  // Only the last of the visible pages is on top.
  const pages = all('.stage .picture').filter(page => !page.hidden);
  pages.slice(0, -1).forEach(page => { page.hidden = true; });
  const none = document.querySelector('.nopage');
  if (none) none.hidden = pages.length > 0;
  all('.entries').forEach(list => { list.querySelector('.noentries').hidden = all('li.only', list).some(entry => !entry.hidden); });
  moments.forEach((moment, index) => moment.classList.toggle('now', index === instant));
  const list = moments[instant].parentElement;
  const top = moments[instant].offsetTop - list.offsetTop;
  if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 40) list.scrollTop = top - list.clientHeight / 3;
  const text = moments[instant].querySelector('.time').textContent + ' ' + moments[instant].querySelector('.what').textContent;
  byId('moment').textContent = (instant + 1) + '/' + moments.length + ' ' + text;
  const range = byId('instant');
  range.value = instant;
  range.setAttribute('aria-valuetext', text);
};
const instantOf = place => {
  const at = Number(place.dataset.at);
  const index = moments.findIndex(moment => Number(moment.dataset.at) >= at);
  if (index >= 0 && place.hidden) move(index);
};
const play = isPlaying => {
  clearInterval(timer);
  timer = 0;
  byId('play').setAttribute('aria-pressed', String(isPlaying));
  byId('play').textContent = isPlaying ? 'Pause' : 'Play';
  if (!isPlaying) return;
  if (instant === moments.length - 1) move(0);
  timer = setInterval(() => { if (instant === moments.length - 1) play(false); else move(instant + 1); }, 600);
};
if (player && moments.length) {
  player.hidden = false;
  document.body.classList.add('with-player');
  const range = byId('instant');
  range.max = moments.length - 1;
  range.addEventListener('input', () => { play(false); move(Number(range.value)); });
  byId('back').addEventListener('click', () => { play(false); move(instant - 1); });
  byId('forth').addEventListener('click', () => { play(false); move(instant + 1); });
  byId('play').addEventListener('click', () => play(!timer));
  moments.forEach((moment, index) => moment.addEventListener('click', event => {
    if (!event.target.closest('a')) { play(false); move(index); }
  }));
  move(instant);
}

// Zoom: the labels of a drawing are at least 11 pixels high, and the pointer moves the drawing.
all('.zoom .scroll').forEach(box => {
  const drawing = box.querySelector('svg');
  const natural = Number(drawing.getAttribute('width'));
  const row = document.createElement('div');
  row.className = 'zooming';
  let scale = 1;
  const set = to => {
    const before = scale, x = box.scrollLeft + box.clientWidth / 2, y = box.scrollTop + box.clientHeight / 2;
    scale = Math.min(4, Math.max(.25, to));
    drawing.style.width = natural * scale + 'px';
    box.scrollLeft = x * scale / before - box.clientWidth / 2;
    box.scrollTop = y * scale / before - box.clientHeight / 2;
  };
  const fit = () => { set(Math.min(1.25, Math.max(.95, (box.clientWidth - 2) / natural))); box.scrollLeft = 0; box.scrollTop = 0; };
  [['Zoom out', '−', () => set(scale / 1.25)], ['Zoom in', '+', () => set(scale * 1.25)], ['Reset zoom', '1:1', fit],
    ['Show all', '⤢', () => set((box.clientWidth - 2) / natural)]].forEach(([label, sign, action]) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = sign;
    button.setAttribute('aria-label', label);
    button.title = label;
    button.addEventListener('click', action);
    row.append(button);
  });
  box.before(row);
  fit();
  box.addEventListener('wheel', event => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    set(scale * (event.deltaY < 0 ? 1.1 : 1 / 1.1));
  }, { passive: false });
  box.addEventListener('keydown', event => {
    if (event.key === '+' || event.key === '=') set(scale * 1.25); else if (event.key === '-') set(scale / 1.25); else if (event.key === '0') fit();
  });
  let start = null;
  box.addEventListener('pointerdown', event => {
    if (event.pointerType !== 'mouse' || event.button !== 0) return;
    start = { x: event.clientX + box.scrollLeft, y: event.clientY + box.scrollTop };
  });
  box.addEventListener('pointermove', event => {
    if (!start) return;
    box.scrollLeft = start.x - event.clientX;
    box.scrollTop = start.y - event.clientY;
  });
  ['pointerup', 'pointerleave'].forEach(kind => box.addEventListener(kind, () => { start = null; }));
});
reveal();
current();
})();
