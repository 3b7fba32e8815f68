import type { Fix, SourceAnswer, SourceRequest } from '../../features/locations/index.ts';
import { parseTime } from './coordinates.ts';
import { failureOf, isOk, type Result } from './results.ts';
import { areaOf } from './shapes.ts';
import {
  attributeOf,
  BadDocument,
  childOf,
  childrenOf,
  type Element,
  escapeXml,
  parseXml,
  textOf,
} from './xml.ts';

export type MlpVersion = '3.0.0' | '3.1.0' | '3.2.0' | '3.3.0' | '3.4.0' | '3.5.0';

/** The identity of the client, and its protocol version. */
export interface Asker {
  readonly version: MlpVersion;
  readonly client: string;
  readonly password?: string | undefined;
  readonly serviceId?: string | undefined;
  /** Requested accuracy of a position, in metres. */
  readonly horizontalM: Readonly<Record<SourceRequest['accuracy'], number>>;
}

const doctypeOf = (version: MlpVersion): string => {
  const [major, minor] = version.split('.');
  return Number(minor) < 4 ? `MLP_SVC_INIT_${major}${minor}0.DTD` : `MLP_v${major}_${minor}.dtd`;
};

/** A coarse position is wanted fast; a precise one may take longer. */
const URGENCY = { coarse: 'LOW_DELAY', precise: 'DELAY_TOL' } as const;
const SYSTEM =
  '<CoordinateReferenceSystem><Identifier><code>4326</code><codeSpace>EPSG</codeSpace><edition>6.1</edition></Identifier></CoordinateReferenceSystem>';

/** Asks for the current positions of lines. The elements have the order of the document type. */
export function writeSlir(
  { version, client, password, serviceId, horizontalM }: Asker,
  msisdns: readonly string[],
  accuracy: SourceRequest['accuracy'],
  limitMs: number,
): string {
  const tag = (name: string, text: string | undefined) =>
    text === undefined ? '' : `<${name}>${escapeXml(text)}</${name}>`;
  const seconds = Math.max(1, Math.floor(limitMs / 1_000));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<!DOCTYPE svc_init SYSTEM "${doctypeOf(version)}">`,
    `<svc_init ver="${version}">`,
    `<hdr ver="${version}"><client>${tag('id', client)}${tag('pwd', password)}${tag('serviceid', serviceId)}</client></hdr>`,
    `<slir ver="${version}" res_type="SYNC">`,
    `<msids>${msisdns.map((msisdn) => `<msid type="MSISDN">${escapeXml(msisdn)}</msid>`).join('')}</msids>`,
    `<eqop><resp_req type="${URGENCY[accuracy]}"/><resp_timer>${seconds}</resp_timer><hor_acc>${horizontalM[accuracy]}</hor_acc></eqop>`,
    `<geo_info>${SYSTEM}</geo_info><loc_type type="CURRENT"/><prio type="NORMAL"/>`,
    '</slir></svc_init>',
  ].join('\n');
}

/** A result for all lines, or an answer for each number. */
export type Slia = { readonly result: Result } | { readonly answers: ReadonlyMap<string, SourceAnswer> };

const resultOf = (parent: Element): Result | undefined => {
  const result = childOf(parent, 'result');
  if (result === undefined) return undefined;
  const [resid, slogan = ''] = [attributeOf(result, 'resid'), textOf(result)];
  return { resid, slogan, addInfo: textOf(childOf(parent, 'add_info')) };
};

const NONSENSE: SourceAnswer = {
  failure: { type: 'POSITION METHOD FAILURE', info: 'the location server answered what is no position' },
};

function fixOf(pd: Element, now: () => Date): Fix | undefined {
  const time = childOf(pd, 'time');
  const at = time === undefined ? now() : parseTime(textOf(time) ?? '', attributeOf(time, 'utc_off'));
  const area = areaOf(childOf(pd, 'shape'));
  return at === undefined || area === undefined ? undefined : { ...area, at };
}

function answerOf(pos: Element, now: () => Date): SourceAnswer {
  const [pd, poserr] = [childOf(pos, 'pd'), childOf(pos, 'poserr')];
  const result = poserr && resultOf(poserr);
  if (result !== undefined) return { failure: failureOf(result) };
  const fix = pd && fixOf(pd, now);
  return fix === undefined ? NONSENSE : { fix };
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

/** Throws `BadDocument`. */
export function readSlia(text: string, now: () => Date): Slia {
  const slia = childOf(parseXml(text), 'svc_result', 'slia');
  if (slia === undefined) throw new BadDocument('it has no slia');
  const result = resultOf(slia);
  if (result !== undefined && !isOk(result)) return { result };
  return {
    answers: new Map(
      childrenOf(slia, 'pos').map((pos) => [
        digitsOf(textOf(childOf(pos, 'msid')) ?? ''),
        answerOf(pos, now),
      ]),
    ),
  };
}
