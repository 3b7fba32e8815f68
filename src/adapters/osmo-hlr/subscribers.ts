import type { LineOrder, LineTruth, OrderOutcome } from '../../features/network/index.ts';
import type { CtrlAnswer } from './answers.ts';
import type { CtrlClient } from './client.ts';

interface Subscriber {
  readonly msisdn: string | undefined;
  readonly circuit: boolean;
  readonly packet: boolean;
}

const IMSI = /^\d{6,15}$/;
const MSISDN = /^\d{1,15}$/;
/** Messages of the register, without the full stop. */
const UNKNOWN = ['No such subscriber', "Subscriber doesn't exist"];
const EXISTS = ['Subscriber already exists'];
/** The register would refuse the same order again. */
const FOR_GOOD = [
  'Invalid IMSI value',
  'Value failed verification',
  "Invalid value part of 'by-xxx-value' selector",
];

const says = (answer: CtrlAnswer, words: readonly string[]): boolean =>
  'refusal' in answer && words.includes(answer.refusal.replace(/\.$/, ''));

const DONE: OrderOutcome = { outcome: 'done' };

function outcomeOf(answer: CtrlAnswer, what: string): OrderOutcome {
  if ('value' in answer) return DONE;
  const outcome = says(answer, FOR_GOOD) ? 'refused' : 'failed';
  return { outcome, reason: `the register did not ${what}: ${answer.refusal}` };
}

/** Parses lines of `name<TAB>value`. Undefined if it does not contain both services. */
function readInfo(text: string): Subscriber | undefined {
  const fields = new Map(
    text.split('\n').map((line) => {
      const [name = '', value = ''] = line.split('\t', 2);
      return [name, value];
    }),
  );
  const [circuit, packet] = [fields.get('nam_cs'), fields.get('nam_ps')];
  if (!/^[01]$/.test(circuit ?? '') || !/^[01]$/.test(packet ?? '')) return undefined;
  const msisdn = fields.get('msisdn');
  return { msisdn: msisdn === 'none' ? undefined : msisdn, circuit: circuit === '1', packet: packet === '1' };
}

type Found = { readonly subscriber: Subscriber | 'unknown' } | { readonly reason: string };

/** Operations on the lines of a register. They reject with `CtrlFailed` if no answer arrives. */
export function createSubscribers(client: CtrlClient) {
  const variableOf = (imsi: string, name: string) => `subscriber.by-imsi-${imsi}.${name}`;

  async function find(imsi: string, signal: AbortSignal): Promise<Found> {
    const answer = await client.get(variableOf(imsi, 'info'), signal);
    if (says(answer, UNKNOWN)) return { subscriber: 'unknown' };
    if ('refusal' in answer)
      return { reason: `the register did not answer about the line: ${answer.refusal}` };
    const subscriber = readInfo(answer.value);
    return subscriber === undefined
      ? { reason: 'the register did not say whether the line is in service' }
      : { subscriber };
  }

  /** Sent together: the register carries them out in this order. It skips a change without effect, and informs no serving node. */
  async function switchBoth(
    { imsi, wanted }: LineOrder,
    number: string | undefined,
    signal: AbortSignal,
  ): Promise<OrderOutcome | 'unknown'> {
    const [value, switched] = wanted === 'active' ? ['1', 'on'] : ['0', 'off'];
    const changes = [
      ...(number === undefined ? [] : [['msisdn', number, 'give the line its number'] as const]),
      ['ps-enabled', value, `switch the packet service ${switched}`] as const,
      ['cs-enabled', value, `switch the circuit service ${switched}`] as const,
    ];
    const answers = await Promise.all(
      changes.map(([name, to]) => client.set(variableOf(imsi, name), to, signal)),
    );
    const outcomes = answers.map((answer, n) => outcomeOf(answer, changes[n]![2]));
    const failure = outcomes.find(({ outcome }) => outcome !== 'done');
    if (failure === undefined) return DONE;
    // When a service is switched, the register does not report that the line is missing.
    const found = await find(imsi, signal);
    return 'subscriber' in found && found.subscriber === 'unknown' ? 'unknown' : failure;
  }

  /** If the register refuses it, the next check of the line shows the difference. */
  async function giveNumber(imsi: string, msisdn: string, signal: AbortSignal): Promise<void> {
    const found = await find(imsi, signal);
    if ('reason' in found || found.subscriber === 'unknown' || found.subscriber.msisdn === msisdn) return;
    await client.set(variableOf(imsi, 'msisdn'), msisdn, signal);
  }

  /** Reads the number first, because a number that the line has already would be written again. */
  async function change(order: LineOrder, signal: AbortSignal): Promise<OrderOutcome | 'unknown'> {
    const { imsi, msisdn, wanted } = order;
    if (msisdn === undefined) return switchBoth(order, undefined, signal);
    if (wanted === 'suspended') {
      // A number that cannot be assigned must not prevent the suspension of a line.
      const outcome = await switchBoth(order, undefined, signal);
      if (outcome !== 'unknown' && outcome.outcome === 'done') await giveNumber(imsi, msisdn, signal);
      return outcome;
    }
    const found = await find(imsi, signal);
    if ('reason' in found) return { outcome: 'failed', reason: found.reason };
    if (found.subscriber === 'unknown') return 'unknown';
    return switchBoth(order, msisdn === found.subscriber.msisdn ? undefined : msisdn, signal);
  }

  async function create(order: LineOrder, signal: AbortSignal): Promise<OrderOutcome> {
    const created = await client.set('subscriber.create', order.imsi, signal);
    if ('refusal' in created && !says(created, EXISTS))
      return { outcome: 'failed', reason: `the register did not create the line: ${created.refusal}` };
    const changed = await change(order, signal);
    return changed === 'unknown'
      ? { outcome: 'failed', reason: 'the register created the line but does not find it' }
      : changed;
  }

  async function remove(imsi: string, signal: AbortSignal): Promise<OrderOutcome> {
    const answer = await client.set('subscriber.delete', imsi, signal);
    return says(answer, UNKNOWN) ? DONE : outcomeOf(answer, 'delete the line');
  }

  return {
    async bring(order: LineOrder, signal: AbortSignal): Promise<OrderOutcome> {
      const { imsi, msisdn, wanted } = order;
      if (!IMSI.test(imsi)) return { outcome: 'refused', reason: 'an IMSI has 6 to 15 digits' };
      if (msisdn !== undefined && !MSISDN.test(msisdn))
        return { outcome: 'refused', reason: 'a number has at most 15 digits' };
      if (wanted === 'gone') return remove(imsi, signal);
      const changed = await change(order, signal);
      return changed === 'unknown' ? create(order, signal) : changed;
    },

    /** `unknown` even for a line with only one of the two services: that is neither state. */
    async stateOf(imsi: string, signal: AbortSignal): Promise<LineTruth> {
      if (!IMSI.test(imsi)) return { state: 'unknown' };
      const found = await find(imsi, signal);
      if ('reason' in found) return undefined;
      const { subscriber } = found;
      if (subscriber === 'unknown' || subscriber.circuit !== subscriber.packet) return { state: 'unknown' };
      return { state: subscriber.packet ? 'active' : 'suspended', msisdn: subscriber.msisdn ?? null };
    },
  };
}
