import type { AuditEntry } from '../../api/operation.ts';
import { stateWord } from '../../parts/Badge.tsx';

type Entry = Pick<AuditEntry, 'action' | 'target' | 'targetName' | 'before' | 'after'>;
type State = Readonly<Record<string, unknown>>;

const stateOf = (value: unknown): State =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as State) : {};
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** The name of the affected object. */
const nameOf = ({ targetName, target, before, after }: Entry): string =>
  targetName ??
  (textOf(stateOf(after)['name']) ||
    textOf(stateOf(stateOf(after)['record'])['name']) ||
    textOf(stateOf(before)['name']) ||
    target ||
    '');

/** "from A to B", for a field of the states before and after. */
function fromTo(
  { before, after }: Entry,
  member: string,
  say: (text: string) => string = (text) => text,
): string {
  const [was, is] = [textOf(stateOf(before)[member]), textOf(stateOf(after)[member])];
  const from = was === '' || was === is ? '' : ` from ${say(was)}`;
  return is === '' ? from : `${from} to ${say(is)}`;
}

const to = (sentence: string) => (entry: Entry) => `${sentence} ${nameOf(entry)}`.trim();
const just = (sentence: string) => () => sentence;

/** The words for each operation, after the name of the actor. The log stores operation names. */
const SENTENCES: Readonly<Record<string, (entry: Entry) => string>> = {
  changeServicePlan: (entry) => `changed the plan of ${nameOf(entry)}${fromTo(entry, 'servicePlan')}`,
  changeLineState: (entry) => `changed ${nameOf(entry)}${fromTo(entry, 'lineState', stateWord)}`,
  activateLine: (entry) => `activated ${nameOf(entry)}`,
  createDevice: to('added the device'),
  deleteDeviceRecord: to('deleted the device'),
  importDeviceRecord: to('imported the device'),
  updateDeviceRecord: to('changed the record of'),
  labelDevice: to('changed the labels of'),
  noticeOtherDevice: (entry) => `noticed another device in ${nameOf(entry)}${fromTo(entry, 'imeisv')}`,
  moveLine: to('moved to another account:'),
  detachSensor: to('detached from its device the sensor'),
  addNumbers: to('added numbers to'),
  addIdentifiers: to('added identifiers to'),
  setDeviceConfiguration: to('configured'),
  createRule: to('created the rule'),
  updateRule: to('changed the rule'),
  deleteRule: to('deleted the rule'),
  importRule: to('imported the rule'),
  importDeviceManagementUser: to('imported the person'),
  createDeviceManagementUser: to('added the person'),
  updateDeviceManagementUser: to('changed the person'),
  deleteDeviceManagementUser: to('deleted the person'),
  createPricePlanTrigger: to('created the trigger'),
  updatePricePlanTrigger: to('changed the trigger'),
  deletePricePlanTrigger: to('deleted the trigger'),
  acknowledgeSmartAlerts: just('acknowledged alerts'),
  setAccountConsent: just('set the consent of all devices'),
  setDeviceConsents: just('set the consent of individual devices'),
  changeExclusions: just('changed the devices excluded from location'),
  removeExclusions: just('ended the exclusion of devices from location'),
  addManagedAccounts: just('added managed accounts'),
  provisionManagedAccount: just('activated a managed account'),
  cancelManagedAccount: just('cancelled a managed account'),
  consoleSignIn: just('signed in to the console'),
  operatorMoveClock: (entry) => {
    const { advance, set, reset } = stateOf(entry.after);
    if (reset === true) return 'emptied the sandbox';
    if (typeof advance === 'string') return `advanced the clock by ${advance}`;
    return typeof set === 'string' ? `set the clock to ${set}` : 'froze or unfroze the clock';
  },
  operatorImport: just('imported a fleet document'),
  operatorPauseActions: just('paused the actions of triggers'),
  operatorResumeActions: just('resumed the actions of triggers'),
  operatorPauseListener: to('paused the listener'),
  operatorResumeListener: to('resumed the listener'),
  operatorResendCallbacks: to('re-sent callbacks:'),
  operatorSendEvent: to('sent a test callback:'),
  operatorDeleteAccount: to('deleted the account'),
  operatorDeleteCustomer: to('requested the deletion of the customer'),
  operatorDeletePlan: to('deleted the plan'),
  operatorDeleteRatePlanGroup: to('deleted the rate plan group'),
  deleteAccount: to('deleted the account'),
  deleteCustomer: to('deleted the customer'),
  operatorDeleteDevice: to('deleted the device'),
  operatorChangeDeviceState: to('changed the state of'),
  operatorMoveDevice: to('moved the line'),
  operatorCreateKey: to('created the operator key'),
  operatorDeleteKey: to('deleted the operator key'),
  operatorDisableClient: to('disabled the application'),
  operatorEnableClient: to('enabled the application'),
  operatorRotateClientSecret: to('created a new secret for the application'),
  operatorDisableUser: to('disabled the user'),
  operatorEnableUser: to('enabled the user'),
  operatorUnlockUser: to('unlocked the user'),
  operatorResetPassword: to('created a new password for the user'),
  operatorErasePositionsOfAccount: to('erased all positions of'),
  operatorErasePositionsOfDevice: to('erased the positions of'),
  operatorApproveFiring: to('approved the firing'),
  operatorRejectFiring: to('rejected the firing'),
  operatorRetryJob: to('retried the job'),
  operatorPlayScenario: to('played the scenario'),
  operatorStopScenario: just('stopped a scenario'),
  operatorMakeSnapshot: to('saved the snapshot'),
  operatorRestoreSnapshot: to('restored the snapshot'),
  operatorDeleteSnapshot: to('deleted the snapshot'),
  operatorResetSandbox: just('reset the sandbox to its start'),
  operatorSetFaults: just('injected failures'),
  operatorClearFaults: just('removed injected failures'),
  operatorSetSimulator: just('changed the simulator'),
  operatorSimulateDevice: to('changed how the network treats'),
  operatorSimulateDevices: just('changed how the network treats devices'),
  operatorSimulateNetwork: just('changed the simulated network'),
  operatorRecordRequests: to('changed the recording of calls of'),
  operatorFeedUsage: just('fed usage'),
  operatorFeedPositions: just('fed positions'),
  operatorFeedReadings: just('fed readings'),
};

/** Turns "consoleSuspendDevices" into "suspend devices". */
const spelled = (action: string): string =>
  action
    .replace(/^(console|operator)/, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase();

function sayAction(entry: Entry): string {
  const said = SENTENCES[entry.action];
  if (said !== undefined) return said(entry);
  return `called ${spelled(entry.action)}${nameOf(entry) === '' ? '' : `: ${nameOf(entry)}`}`;
}

/** The action in words. The answer to a call that a fault rule affected may not be true. */
export const sayEntry = (entry: Entry): string =>
  stateOf(entry.after)['injected'] === undefined ? sayAction(entry) : `${sayAction(entry)} (fault injected)`;

/** The choices of the filter, in words. */
export const ACTIONS: readonly { readonly value: string; readonly label: string }[] = Object.entries(
  SENTENCES,
)
  .map(([value, say]) => {
    const words = say({ action: value, target: null, before: null, after: null }).replace(/[ :]+$/, '');
    return { value, label: `${words.charAt(0).toUpperCase()}${words.slice(1)}` };
  })
  .sort((a, b) => a.label.localeCompare(b.label, 'en'));
