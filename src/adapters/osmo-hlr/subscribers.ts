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
/** The register's words, without their full stop. */
const UNKNOWN = ['No such subscriber', "Subscriber doesn't exist"];
const EXISTS = ['Subscriber already exists'];
/** Another try with the same order would be refused too. */
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

/** Lines of `name<TAB>value`. Undefined where it does not tell of both services. */
function readInfo(text: string): Subscriber | undefined {
  const fields = new Map(
    text.split('\n').map((line) => {
      const [name = '', value = ''] = line.split('\t', 2);
      return [name, value];
    }),
  );
  const [circuit, packet] = [fields.get('nam_cs'), fields.get('nam_ps')];
  if (!/^[01]$/.test(circuit ?? '') || !/^[01]$/.test(packet ?? '')) return undefined;
  return { msisdn: fields.get('msisdn'), circuit: circuit === '1', packet: packet === '1' };
}

type Found = { readonly subscriber: Subscriber | 'unknown' } | { readonly reason: string };

/** What can be done to the lines of a register. Rejects with `CtrlFailed` where no answer came. */
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

  async function findOrCreate(imsi: string, signal: AbortSignal): Promise<Found> {
    const found = await find(imsi, signal);
    if (!('subscriber' in found) || found.subscriber !== 'unknown') return found;
    const created = await client.set('subscriber.create', imsi, signal);
    if ('refusal' in created && !says(created, EXISTS))
      return { reason: `the register did not create the line: ${created.refusal}` };
    return find(imsi, signal);
  }

  /** Nothing is set that is so already: switching off again would make the serving node cancel the line again. */
  function changesFor(
    { wanted, msisdn }: LineOrder,
    { circuit, packet, ...known }: Subscriber,
  ): readonly (readonly [variable: string, value: string, what: string])[] {
    const on = wanted === 'active';
    const [value, switched] = on ? ['1', 'on'] : ['0', 'off'];
    return [
      // A number that cannot be given must not keep a line from being cut off.
      ...(on && msisdn !== undefined && msisdn !== known.msisdn
        ? [['msisdn', msisdn, 'give the line its number'] as const]
        : []),
      ...(packet === on ? [] : [['ps-enabled', value, `switch the packet service ${switched}`] as const]),
      ...(circuit === on ? [] : [['cs-enabled', value, `switch the circuit service ${switched}`] as const]),
    ];
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
      const found = await findOrCreate(imsi, signal);
      if ('reason' in found) return { outcome: 'failed', reason: found.reason };
      if (found.subscriber === 'unknown')
        return { outcome: 'failed', reason: 'the register created the line and does not know it' };
      // Sent together: the register carries them out in this order.
      const outcomes = await Promise.all(
        changesFor(order, found.subscriber).map(async ([name, value, what]) =>
          outcomeOf(await client.set(variableOf(imsi, name), value, signal), what),
        ),
      );
      return outcomes.find(({ outcome }) => outcome !== 'done') ?? DONE;
    },

    /** `unknown` also for a line of which one service is on and the other off: that is neither. */
    async stateOf(imsi: string, signal: AbortSignal): Promise<LineTruth> {
      if (!IMSI.test(imsi)) return 'unknown';
      const found = await find(imsi, signal);
      if ('reason' in found) return undefined;
      const { subscriber } = found;
      if (subscriber === 'unknown' || subscriber.circuit !== subscriber.packet) return 'unknown';
      return subscriber.packet ? 'active' : 'suspended';
    },
  };
}
