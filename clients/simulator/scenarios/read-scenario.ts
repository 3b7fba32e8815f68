import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { Static } from 'typebox';
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { type FaultRules, problemOfRule } from './fault-schema.ts';
import {
  ExpectedRows,
  kindOf,
  type Scenario,
  ScenarioFrame,
  SOURCES,
  STEPS,
  type StepKind,
} from './schema.ts';

/** The problems of a file with their places. */
export class WrongScenario extends Error {}

const PROBLEMS_MAX = 20;
const SIZE_MAX = 1024 * 1024;

type Path = readonly (string | number)[];
interface Problem {
  readonly path: Path;
  readonly what: string;
}

const ajv = new Ajv({ strict: false, allErrors: true });
const checkFrame = ajv.compile(ScenarioFrame);
const checkStep = Object.fromEntries(
  Object.entries(STEPS).map(([kind, schema]) => [kind, ajv.compile(schema)]),
) as Record<StepKind, ValidateFunction>;
const FINDERS = [...SOURCES, 'heard', 'answer', 'saved'].filter((name) => name in ExpectedRows.properties);

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');
function problemOf(
  base: Path,
  { instancePath, keyword, params, message = 'is wrong' }: ErrorObject,
): Problem {
  const below = instancePath.split('/').slice(1).map(unescaped);
  const path = [...base, ...below.map((part) => (/^\d+$/.test(part) ? Number(part) : part))];
  if (keyword === 'additionalProperties')
    return { path: [...path, params['additionalProperty']], what: 'is unknown here' };
  if (keyword === 'enum') return { path, what: `must be one of ${params['allowedValues'].join(', ')}` };
  return { path, what: message };
}

function problemsOfStep(step: unknown, n: number): Problem[] {
  const path = ['steps', n];
  const kind = typeof step === 'object' && step !== null ? kindOf(step) : undefined;
  if (kind === undefined)
    return [{ path, what: `needs one of the members ${Object.keys(STEPS).join(', ')}` }];
  const check = checkStep[kind];
  if (!check(step)) return check.errors!.map((error) => problemOf(path, error));
  return [...problemsOfExpectations(step as Expecting, path), ...problemsOfFaults(step as Failing, path)];
}

interface Expecting {
  readonly expect?: readonly object[];
}
const problemsOfExpectations = ({ expect = [] }: Expecting, path: Path): Problem[] =>
  expect.flatMap((one, nth) =>
    FINDERS.filter((name) => Object.hasOwn(one, name)).length === 1
      ? []
      : [{ path: [...path, 'expect', nth], what: `must have exactly one of ${FINDERS.join(', ')}` }],
  );

interface Failing {
  readonly faults?: Static<typeof FaultRules>;
}
const problemsOfFaults = ({ faults = [] }: Failing, path: Path): Problem[] =>
  faults.flatMap((rule, nth) => {
    const what = problemOfRule(rule);
    return what === undefined ? [] : [{ path: [...path, 'faults', nth, 'then'], what }];
  });

function problemsOf(value: unknown): Problem[] {
  if (!checkFrame(value)) return checkFrame.errors!.map((error) => problemOf([], error));
  return (value as { steps: unknown[] }).steps.flatMap(problemsOfStep);
}

/** The position of a member, or of the innermost existing one around it. */
function lineOf(document: Document, lines: LineCounter, path: Path): number {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

/** Parses YAML, which includes JSON. Throws `WrongScenario` with a line for each problem. */
export function parseScenario(file: string, text: string): Scenario {
  const refuse = (problems: readonly string[]) => {
    const more = problems.length > PROBLEMS_MAX ? [`and ${problems.length - PROBLEMS_MAX} more`] : [];
    throw new WrongScenario([...problems.slice(0, PROBLEMS_MAX), ...more].join('\n'));
  };
  if (text.length > SIZE_MAX) refuse([`${file}: is longer than ${SIZE_MAX} characters`]);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  // Later syntax errors only follow from the first one.
  const [mistake] = document.errors;
  if (mistake !== undefined) refuse([`${file}:${lines.linePos(mistake.pos[0]).line}: ${mistake.message}`]);
  // Aliases are allowed, but the parser's default limit prevents expansion attacks.
  const value: unknown = document.toJS();
  const problems = problemsOf(value);
  if (problems.length > 0)
    refuse(
      problems.map(
        ({ path, what }) =>
          `${file}:${lineOf(document, lines, path)}: ${path.length === 0 ? 'the file' : path.join('.')} ${what}`,
      ),
    );
  return value as Scenario;
}
