/** Names in angle brackets stand for the cases of a test that runs once for each: all of them must pass. */
export interface Proof {
  readonly file: string;
  readonly test: string;
}

/** One row of a table of the interface, or one rule, in our words. */
export interface Row {
  readonly subject: string;
  readonly says: string;
  readonly proofs: readonly Proof[];
}

export interface Section {
  readonly number: string;
  readonly title: string;
  readonly rows: readonly Row[];
}

export type Tests = (...names: readonly string[]) => readonly Proof[];

export const testsIn =
  (file: string): Tests =>
  (...names) =>
    names.map((test) => ({ file, test }));

export const row = (subject: string, says: string, ...proofs: readonly (readonly Proof[])[]): Row => ({
  subject,
  says,
  proofs: proofs.flat(),
});

/** Rows that one test shows together: names and what is said of each. */
export const rowsOf = (says: Readonly<Record<string, string>>, proofs: readonly Proof[]): readonly Row[] =>
  Object.entries(says).map(([subject, text]) => row(subject, text, proofs));

export const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether a test of that name is one of those that a proof means. */
export const isMeant = ({ test }: Proof, name: string): boolean =>
  new RegExp(
    `^${test
      .split(/<[^>]+>/)
      .map(literally)
      .join('.+')}$`,
    's',
  ).test(name);
