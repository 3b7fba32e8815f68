import { collectTags, listTestFiles } from '../conformance/tags.ts';

const FAULTS = /^test\/faults\//;
const FUZZ = /^test\/fuzz\//;
const MODEL = /^test\/model\//;
/** Files elsewhere that kill processes, servers or connections; what they do is not drawn from a seed. */
const KILLING =
  /^(test\/e2e\/(process|several-processes|simulator)|test\/flows\/access-across-nodes|embedded-postgres\/test|clients\/testing\/test\/left-behind)/;
/** What a cluster of servers could answer in another way than one server. */
const ON_CLUSTER =
  /^(src\/(features|platform\/(clock|context|feeds|fleet-document|health|jobs|lanes))|test\/(flows|house|model|citus))\//;
/** About the cluster itself, which they break: one at a time, when nothing else runs there. */
const ABOUT_CLUSTER = /^test\/citus\//;
/** With network elements that others wrote, which are not installed everywhere. */
const NETWORK = /^test\/network\//;
/** Only in `npm run test:all`: faults, killed processes, packages, the whole walk through the console, floods, soaks, and the compiler. */
const LONG = [
  FAULTS,
  KILLING,
  /^test\/(e2e\/|console\/|bench\/soak\.)/,
  /^(test\/audit\/identity|src\/features\/(sessions\/test\/flood|usage-files\/test\/large-file)|clients\/testing\/test\/starting)\./,
];
/** Of these, what a contributor wants to see on every change. */
const MAIN_CONSOLE = /^test\/console\/main-[a-z]+\./;
const MAIN = [MAIN_CONSOLE, /^test\/e2e\/(console-build|health-check)\./];
/** What starts processes, or changes its own, shares none with other files. */
const OWN_PROCESS = [
  ...LONG,
  /^test\/(generated|citus|network)\//,
  /^clients\/(cli\/test\/(completion|process)|sdk\/test\/readme)\./,
  /^clients\/testing\/test\/(?!match)/,
];

const isOneOf = (patterns: readonly RegExp[], file: string) => patterns.some((pattern) => pattern.test(file));

/** Those that look at one console, one after the other: to make one, and to start a browser, takes longer than they do. */
export const mayShareConsole = (file: string): boolean => MAIN_CONSOLE.test(file);
export const mayShareProcess = (file: string): boolean => !isOneOf(OWN_PROCESS, file);

export interface Choice {
  /** Everything that there is, and not what is to be run on every change. */
  readonly all: boolean;
  readonly faults: boolean;
  readonly fuzz: boolean;
  readonly model: boolean;
  readonly conformance: boolean;
  readonly citus: boolean;
  readonly network: boolean;
  /** On a cluster: all flows, and one file of each feature. */
  readonly some: boolean;
  /** Parts of paths; a file that has one of them runs, however long it takes. */
  readonly words: readonly string[];
}

const FEATURE = /^src\/features\/[^/]+\//;

/** Of each feature the first file that calls its interface, or else its first. */
function isOneOfFeature(file: string, _: number, files: readonly string[]): boolean {
  const [feature] = FEATURE.exec(file) ?? [];
  if (feature === undefined) return /^test\/(flows|citus)\//.test(file);
  const own = files.filter((other) => other.startsWith(feature));
  return file === (own.find((other) => other.endsWith('.api.test.ts')) ?? own[0]);
}

export function selectFiles(choice: Choice): string[] {
  const { all, faults, fuzz, model, conformance, citus, network, some, words } = choice;
  const proving = new Set(conformance ? collectTags().map(({ file }) => file) : []);
  const isChosen = (file: string): boolean => {
    if (faults) return isOneOf([FAULTS, KILLING], file);
    if (fuzz) return FUZZ.test(file);
    if (model) return MODEL.test(file);
    if (network) return NETWORK.test(file);
    if (citus) return ON_CLUSTER.test(file) && (words.length > 0 || !ABOUT_CLUSTER.test(file));
    if (ABOUT_CLUSTER.test(file)) return false;
    if (NETWORK.test(file) && words.length === 0) return false;
    if (conformance) return proving.has(file);
    return all || words.length > 0 || !isOneOf(LONG, file) || isOneOf(MAIN, file);
  };
  return listTestFiles()
    .filter(isChosen)
    .filter(some ? isOneOfFeature : () => true)
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
}
