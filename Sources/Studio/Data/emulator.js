// The attached emulator, whose requests the studio shows. The frame contains the emulator's start page, which the studio serves.
import { attempt, byId, call, showOnly } from './common.js';

let path = null;

/// Sets the workflow whose directory a new emulator uses.
export const setEmulatorWorkflow = selected => { path = selected; };

const show = ({ address, canStart }) => {
  byId('emulator-address').textContent = address || 'Not attached';
  byId('no-emulator').hidden = Boolean(address);
  byId('start-emulator').hidden = !canStart;
  const frame = byId('emulator-frame');
  frame.hidden = !address;
  if (address && !frame.src) frame.src = '/emulator';
};

/// Sets up the button that opens the emulator section. If an emulator is attached, the function opens the section.
/// - Returns: Whether an emulator is attached.
export const prepareEmulator = async select => {
  const button = byId('open-emulator');
  const open = async () => {
    await select(button);
    showOnly('emulator');
    show(await call('/api/emulator'));
  };
  button.addEventListener('click', attempt(open));
  const { address } = await call('/api/emulator');
  if (address) await open();
  return Boolean(address);
};

byId('start-emulator').addEventListener('click', attempt(async () => {
  byId('emulator-status').textContent = '';
  show(await call('/api/emulator/start', path ? { path } : {}));
}, text => { byId('emulator-status').textContent = text; }));
