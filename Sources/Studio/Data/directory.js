// The simulated directory: users, apps, policies, and the clock. The emulator's start page shows the same lists.
import { showDirectory } from '/_page/changes.js';
import { byId, call, make } from './common.js';

const fill = (id, values) => byId(id).replaceChildren(...values.map(value => make('option', undefined, { value })));

let latest = 0;

/// Shows the directory of the suspended run, or the directory at the start of a run.
export const loadDirectory = async program => {
  const number = ++latest;
  const { users, apps, policies, clock, source } = await call('/api/directory', program);
  if (number !== latest) return;
  fill('known-users', users.map(user => user.username));
  fill('known-apps', apps.map(app => app.appId));
  fill('known-policies', policies.map(policy => policy.name));
  byId('directory-clock').textContent = source === 'run'
    ? `State of the suspended run at ${clock.now}` : `State at the start of a run, before the setup events. The clock starts at ${clock.now}`;
  showDirectory(users, apps, policies, clock);
};
