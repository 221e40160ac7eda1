// The interactive features of a page: search, filters, theme, keyboard navigation, and highlighting of related items.
// The script does not create markup from text or send requests. The page is readable without it.
(() => {
'use strict';
const all = (what, inside) => [...(inside || document).querySelectorAll(what)];
const byId = id => document.getElementById(id);
const tools = byId('tools'), search = byId('search'), found = byId('found'), unfold = byId('unfold'), theme = byId('theme');
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
  found.textContent = words.length ? (count === 1 ? '1 found' : count + ' found') : '';
};
search.addEventListener('input', apply);
all('.filters button').forEach(button => button.addEventListener('click', () => {
  all('button', button.parentElement).forEach(other => other.setAttribute('aria-pressed', String(other === button)));
  apply();
}));

// Shows the target of a link, and opens all details elements around it.
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
  place.scrollIntoView({ block: 'nearest' });
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
    if (event.key === 'Enter') { event.preventDefault(); search.blur(); go(1); }
    return;
  }
  if (event.key === '/') { event.preventDefault(); search.focus(); search.select(); }
  else if (event.key === 'j') go(1);
  else if (event.key === 'k') go(-1);
});

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

// Marks the visible section in the navigation.
const links = new Map(all('nav.parts a').map(link => [link.getAttribute('href').slice(1), link]));
const visible = new Set();
const sections = all('main > section');
const watcher = new IntersectionObserver(entries => {
  entries.forEach(entry => { if (entry.isIntersecting) visible.add(entry.target.id); else visible.delete(entry.target.id); });
  const first = sections.find(section => visible.has(section.id));
  links.forEach((link, id) => {
    if (first && id === first.id) link.setAttribute('aria-current', 'true'); else link.removeAttribute('aria-current');
  });
}, { rootMargin: '-80px 0px -55% 0px' });
sections.forEach(section => watcher.observe(section));
reveal();
})();
