import type { Case, Step, Usage } from './case.ts';
import { iso, nameOf, type Row } from './outcome.ts';

const ROWS_SHOWN = 12;

/** Shortened JSON for readers. */
export const words = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll(/"(\w+)":/g, '$1: ')
    .replaceAll(',', ', ')
    .replaceAll('"', '');

/** The time in the account's time zone. */
const there = (zone: string, ms: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(ms);

function recordText({ accounts, lines }: Case, { id, line, at, ...rest }: Usage): string {
  const account = accounts[lines[line]?.account ?? -1];
  const local = account === undefined ? '' : ` (there ${there(account.timeZone, at)})`;
  return `      ${id}: ${line < 0 ? 'nobody' : nameOf.line(line)} at ${iso(at)}${local} ${words(rest)}`;
}

function stepText(drawn: Case, step: Step): readonly string[] {
  const { do: what, at, ...rest } = step;
  const head = `  ${iso(at)} ${what}`;
  if (step.do === 'feed') return [head, ...step.records.map((record) => recordText(drawn, record))];
  if (step.do === 'feeds')
    return [
      head,
      ...step.feeds.flatMap((feed) => [
        '    side by side:',
        ...feed.map((record) => recordText(drawn, record)),
      ]),
    ];
  return [`${head} ${Object.keys(rest).length === 0 ? '' : words(rest)}`.trimEnd()];
}

/** Leaves out lines and accounts without events. The others keep their numbers. */
export function caseText(drawn: Case): string {
  const { accounts, lines, group, steps } = drawn;
  return [
    'Fleet:',
    ...accounts.map((account, n) => `  ${nameOf.account(n)}: ${words(account)}`),
    `  group: ${words(group)}`,
    ...lines.map(
      ({ account, plan, planSince }, n) =>
        `  ${nameOf.line(n)} of ${nameOf.account(account)} on ${plan} since ${iso(planSince)}`,
    ),
    'Steps:',
    ...steps.flatMap((step) => stepText(drawn, step)),
  ].join('\n');
}

const rowsText = (sign: string, rows: readonly Row[]): readonly string[] => [
  ...rows.slice(0, ROWS_SHOWN).map((row) => `    ${sign} ${words(row)}`),
  ...(rows.length > ROWS_SHOWN ? [`    ${sign} and ${rows.length - ROWS_SHOWN} more`] : []),
];

interface Differing {
  readonly list: string;
  readonly expected: readonly Row[];
  readonly actual: readonly Row[];
}

export const differencesText = (differences: readonly Differing[]): string =>
  differences
    .flatMap(({ list, expected, actual }) => [
      `  ${list}:`,
      ...rowsText('must be', expected),
      ...rowsText('is     ', actual),
    ])
    .join('\n');
