import type { HistoryEvent, HistoryKind } from '../../api/devices.ts';
import { stateWord } from '../../parts/Badge.tsx';
import { crossedBy, firedBy, reasonOf } from '../../text/firing.ts';

export const KIND_WORDS: Readonly<Record<HistoryKind, string>> = {
  change: 'Changes',
  request: 'Requests',
  firing: 'Triggers',
  alert: 'Alerts',
  consent: 'Consent',
  callback: 'Callbacks',
  network: 'Network',
};

const OPERATIONS: Readonly<Record<string, string>> = {
  activate: 'Activation requested',
  deactivate: 'Deactivation requested',
  suspend: 'Suspension requested',
  restore: 'Restoration requested',
  'plan-change': 'Plan change requested',
  'license-assign': 'Licence requested',
  'license-unassign': 'Licence return requested',
  'suspension-status': 'Suspension status requested',
};
const OUTCOMES: Readonly<Record<string, string>> = {
  waiting: 'in progress',
  done: 'done',
  failed: 'refused',
};

const CHANGES: Readonly<Record<string, string>> = {
  importDeviceRecord: 'Imported',
  createDevice: 'Added',
  activateLine: 'Activated',
  changeLineState: 'State changed',
  changeServicePlan: 'Plan changed',
  updateDeviceRecord: 'Record changed',
  labelDevice: 'Labels changed',
  noticeOtherDevice: 'Seen in another device',
  moveLine: 'Moved to this account',
  addNumbers: 'Numbers added',
  addIdentifiers: 'Identifiers added',
  setDeviceConfiguration: 'Configuration changed',
};

const CONSENTS: Readonly<Record<string, string>> = {
  level: 'Consent of the account set',
  'level-all': 'Consent of all devices set',
  'device-level': 'Consent of the device set',
  exclude: 'Excluded from location',
  'exclude-all': 'All devices excluded from location',
  allow: 'No longer excluded from location',
  'allow-all': 'Devices no longer excluded from location',
};
const LEVELS = ['precise and coarse', 'only precise', 'only coarse', 'nothing'];

const ORDERS: Readonly<Record<string, string>> = {
  active: 'Order to serve the line not carried out',
  suspended: 'Order to refuse the line not carried out',
  gone: 'Order to remove the line not carried out',
};

/** A short description of the event. */
export function whatWords({ kind, what, firing, text }: HistoryEvent): string {
  if (kind === 'request') return OPERATIONS[what] ?? what;
  if (kind === 'change') return CHANGES[what] ?? what;
  if (kind === 'consent') return CONSENTS[what] ?? what;
  if (kind === 'network') return ORDERS[what] ?? what;
  if (kind === 'callback') return `Callback of ${what}`;
  if (kind === 'alert') return `Alert ${what}${text == null ? '' : `: ${text}`}`;
  return firing === undefined ? 'Trigger fired' : `Trigger fired: ${reasonOf(firing)}`;
}

const valueWords = (name: string, value: string | null): string =>
  value === null ? 'nothing' : name === 'lineState' ? stateWord(value).toLowerCase() : value;

/** Most changes listed in a row. */
const FIELDS_SAID = 4;

function changeWords(fields: HistoryEvent['fields'] = []): string {
  const said = fields
    .slice(0, FIELDS_SAID)
    .map(({ name, before, after }) => `${name}: ${valueWords(name, before)} → ${valueWords(name, after)}`);
  const more = fields.length - said.length;
  return [...said, ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

/** The actor, the reason and the result. */
export function whyWords(event: HistoryEvent): string {
  const { kind, by, text, state, level, fields, callback, firing } = event;
  return [
    by != null && `by ${by}`,
    firing !== undefined && `by ${firedBy(firing)}`,
    firing !== undefined && crossedBy(firing),
    kind === 'request' && state !== undefined && OUTCOMES[state],
    (kind === 'request' || kind === 'network') && text,
    callback !== undefined && `callback ${stateWord(callback.state).toLowerCase()}`,
    kind === 'callback' && state !== undefined && stateWord(state).toLowerCase(),
    level != null && `allowed: ${LEVELS[level]}`,
    changeWords(fields),
  ]
    .filter(Boolean)
    .join(', ');
}
