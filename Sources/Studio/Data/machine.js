// The state machine, with breakpoints and the step before which the run is suspended.
import { byId } from './common.js';

export const breakpoints = new Set();
let changed = () => {};

/// Sets the function to call after each breakpoint change.
export const whenBreakpointsChange = action => { changed = action; };

/// Shows a drawing. The server escapes all text in its drawings.
export const drawMachine = (svg, current) => {
  const parsed = new DOMParser().parseFromString(svg || '', 'text/html').querySelector('svg');
  const box = byId('machine');
  box.replaceChildren(...(parsed ? [document.importNode(parsed, true)] : []));
  for (const state of box.querySelectorAll('.state[data-step]')) {
    const step = state.dataset.step;
    state.classList.toggle('current', step === current);
    state.setAttribute('role', 'button');
    state.setAttribute('tabindex', '0');
    const show = () => {
      const isSet = breakpoints.has(step);
      state.classList.toggle('breakpoint', isSet);
      state.setAttribute('aria-pressed', String(isSet));
      state.setAttribute('aria-label', `${step}: breakpoint${step === current ? ', the run is suspended here' : ''}`);
    };
    const toggle = () => {
      if (!breakpoints.delete(step)) breakpoints.add(step);
      show();
      changed();
    };
    state.addEventListener('click', event => { event.preventDefault(); toggle(); });
    state.addEventListener('keydown', event => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      toggle();
    });
    show();
  }
};
