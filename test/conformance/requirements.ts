import { readFileSync } from 'node:fs';

export interface Requirement {
  /** What a test that proves it writes above itself: `// proves 2.1/triggerId`. */
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly Requirement[];
}

const kebab = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** The parts of a page that begin with a heading of the second level. */
function partsOf(page: string): { heading: string; body: string }[] {
  const [, ...parts] = `\n${readFileSync(page, 'utf8')}`.split('\n## ');
  return parts.map((part) => {
    const end = part.indexOf('\n');
    return { heading: part.slice(0, end), body: part.slice(end) };
  });
}

const entriesIn = (body: string, entry: RegExp, idOf: (name: string) => string): Requirement[] =>
  [...body.matchAll(entry)].map(([, name, text]) => ({ id: idOf(name!), name: name!, text: text! }));

/** The rows of the tables of the interface. */
export const sections: readonly Section[] = partsOf('test/conformance/requirements.md').map(
  ({ heading, body }) => {
    const [id = ''] = heading.split(' ');
    const title = heading.slice(id.length + 1);
    return { id, title, requirements: entriesIn(body, /^- (\S+): (.+)$/gm, (name) => `${id}/${name}`) };
  },
);

/** What the service does where the interface is silent, leaves a choice or contradicts itself. */
export const decisions: readonly Section[] = partsOf('docs/interface-notes.md').map(({ heading, body }) => ({
  id: kebab(heading),
  title: heading,
  requirements: entriesIn(body, /^- \*\*(.+?)\*\*: (.+)$/gm, (name) => `${kebab(heading)}/${kebab(name)}`),
}));

export const requirementsIn = (all: readonly Section[]): readonly Requirement[] =>
  all.flatMap(({ requirements }) => requirements);
