import type { AuditEntry } from '../../api/operation.ts';
import { stateWord } from '../../parts/Badge.tsx';

type Told = Pick<AuditEntry, 'action' | 'target' | 'targetName' | 'before' | 'after'>;
type State = Readonly<Record<string, unknown>>;

const stateOf = (value: unknown): State =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as State) : {};
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** How the thing is called that it was done to. */
const nameOf = ({ targetName, target, before, after }: Told): string =>
  targetName ??
  (textOf(stateOf(after)['name']) ||
    textOf(stateOf(stateOf(after)['record'])['name']) ||
    textOf(stateOf(before)['name']) ||
    target ||
    '');

/** "from A to B", of a member of both states. */
function fromTo(
  { before, after }: Told,
  member: string,
  say: (text: string) => string = (text) => text,
): string {
  const [was, is] = [textOf(stateOf(before)[member]), textOf(stateOf(after)[member])];
  const from = was === '' || was === is ? '' : ` from ${say(was)}`;
  return is === '' ? from : `${from} to ${say(is)}`;
}

const to = (sentence: string) => (entry: Told) => `${sentence} ${nameOf(entry)}`.trim();
const just = (sentence: string) => () => sentence;

/** What each kind of entry says, after who did it. The log keeps the names of operations; people read these. */
const SENTENCES: Readonly<Record<string, (entry: Told) => string>> = {
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
  detachSensor: to('took from its device the sensor'),
  addNumbers: to('gave numbers to'),
  addIdentifiers: to('gave identifiers to'),
  setDeviceConfiguration: to('configured'),
  createRule: to('made the rule'),
  updateRule: to('changed the rule'),
  deleteRule: to('deleted the rule'),
  importRule: to('imported the rule'),
  importDeviceManagementUser: to('imported the person'),
  createDeviceManagementUser: to('added the person'),
  updateDeviceManagementUser: to('changed the person'),
  deleteDeviceManagementUser: to('deleted the person'),
  createPricePlanTrigger: to('made the trigger'),
  updatePricePlanTrigger: to('changed the trigger'),
  deletePricePlanTrigger: to('deleted the trigger'),
  acknowledgeSmartAlerts: just('noted who has seen alerts'),
  setAccountConsent: just('set the consent of all devices'),
  setDeviceConsents: just('set the consent of single devices'),
  changeExclusions: just('changed which devices may not be located'),
  removeExclusions: just('let devices be located again'),
  addManagedAccounts: just('added managed accounts'),
  provisionManagedAccount: just('activated a managed account'),
  cancelManagedAccount: just('ended a managed account'),
  consoleSignIn: just('signed in to the console'),
  operatorMoveClock: (entry) => {
    const { advance, set, reset } = stateOf(entry.after);
    if (reset === true) return 'emptied the sandbox';
    if (typeof advance === 'string') return `moved the clock on by ${advance}`;
    return typeof set === 'string' ? `moved the clock to ${set}` : 'froze or released the clock';
  },
  operatorImport: just('imported a fleet document'),
  operatorPauseActions: just('paused the actions of triggers'),
  operatorResumeActions: just('let triggers act again'),
  operatorPauseListener: to('paused the listener'),
  operatorResumeListener: to('let callbacks go again to the listener'),
  operatorResendCallbacks: to('sent callbacks again:'),
  operatorSendEvent: to('sent a callback:'),
  operatorDeleteAccount: to('deleted the account'),
  operatorDeleteCustomer: to('asked to delete the customer'),
  operatorDeletePlan: to('deleted the plan'),
  operatorDeleteRatePlanGroup: to('deleted the rate plan group'),
  deleteAccount: to('deleted the account'),
  deleteCustomer: to('deleted the customer'),
  operatorDeleteDevice: to('deleted the device'),
  operatorChangeDeviceState: to('changed the state of'),
  operatorMoveDevice: to('moved the line'),
  operatorCreateKey: to('made the operator key'),
  operatorDeleteKey: to('ended the operator key'),
  operatorDisableClient: to('disabled the application'),
  operatorEnableClient: to('enabled the application'),
  operatorRotateClientSecret: to('gave a new secret to the application'),
  operatorDisableUser: to('disabled the user'),
  operatorEnableUser: to('enabled the user'),
  operatorUnlockUser: to('unlocked the user'),
  operatorResetPassword: to('gave a new password to the user'),
  operatorErasePositionsOfAccount: to('erased all positions of'),
  operatorErasePositionsOfDevice: to('erased the positions of'),
  operatorApproveFiring: to('approved the firing'),
  operatorRejectFiring: to('rejected the firing'),
  operatorRetryJob: to('ran again the job'),
  operatorPlayScenario: to('played the scenario'),
  operatorStopScenario: just('stopped a scenario'),
  operatorMakeSnapshot: to('kept the snapshot'),
  operatorRestoreSnapshot: to('went back to the snapshot'),
  operatorDeleteSnapshot: to('deleted the snapshot'),
  operatorResetSandbox: just('put the sandbox back to its start'),
  operatorSetFaults: just('let calls fail on purpose'),
  operatorClearFaults: just('ended failures on purpose'),
  operatorSetSimulator: just('changed the simulator'),
  operatorSimulateDevice: to('changed how the network treats'),
  operatorSimulateDevices: just('changed how the network treats devices'),
  operatorSimulateNetwork: just('changed the simulated network'),
  operatorRecordRequests: to('switched the recording of calls of'),
  operatorFeedUsage: just('fed usage'),
  operatorFeedPositions: just('fed positions'),
  operatorFeedReadings: just('fed readings'),
};

/** "consoleSuspendDevices" as "called suspend devices". */
const spelled = (action: string): string =>
  action
    .replace(/^(console|operator)/, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase();

/** What was done, in words. */
export function sayEntry(entry: Told): string {
  const said = SENTENCES[entry.action];
  if (said !== undefined) return said(entry);
  return `called ${spelled(entry.action)}${nameOf(entry) === '' ? '' : `: ${nameOf(entry)}`}`;
}

/** What can be chosen as a filter, each with its words. */
export const ACTIONS: readonly { readonly value: string; readonly label: string }[] = Object.entries(
  SENTENCES,
)
  .map(([value, say]) => {
    const words = say({ action: value, target: null, before: null, after: null }).replace(/[ :]+$/, '');
    return { value, label: `${words.charAt(0).toUpperCase()}${words.slice(1)}` };
  })
  .sort((a, b) => a.label.localeCompare(b.label, 'en'));
