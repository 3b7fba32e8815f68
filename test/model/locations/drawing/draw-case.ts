import { openRandom, type SeededRandom } from '../../../support/seeded-random.ts';
import { ACCOUNTS, type Accuracy, type Case, type Change, type Level, type Step } from '../case.ts';

const LINES = 5;
const STEPS = { from: 14, to: 34 };

/** Draws the parts of a step. Many concern the first line and the account that has it, so that they meet. */
class Drawing {
  readonly #random: SeededRandom;
  readonly #names: string[] = [];
  /** The account of each line. */
  readonly #owners: (number | undefined)[];
  #place = 1;

  constructor(random: SeededRandom, lines: Case['lines']) {
    this.#random = random;
    this.#owners = lines.map(({ account }) => account);
  }

  #line = () => (this.#random.next() < 0.45 ? 0 : this.#random.between(0, LINES - 1));
  #account = () =>
    (this.#random.next() < 0.5 ? this.#owners[0] : undefined) ?? this.#random.pick([0, 0, 1, 2]);
  #accuracy = (): Accuracy => this.#random.pick(['coarse', 'coarse', 'precise']);
  #level = () => this.#random.pick([0, 0, 1, 2, 2, 3]) as Level;
  /** Now and then, also lines of others. */
  #lines = (account: number, most = LINES) => {
    const isAny = this.#random.next() < 0.03;
    const all = [...this.#owners.keys()].filter((line) => isAny || this.#owners[line] === account);
    const some = this.#random.shuffle(all).slice(0, this.#random.between(1, most));
    return this.#random.next() < 0.6 && all.includes(0) && !some.includes(0) ? [0, ...some] : some;
  };
  #lineOf = (account: number) => this.#lines(account, 1)[0] ?? this.#line();

  #wish() {
    const account = this.#account();
    return {
      account,
      accuracy: this.#accuracy(),
      cacheMode: this.#random.pick([0, 1, 1, 1, 2, 2] as const),
      lines: this.#lines(account, this.#random.pick([1, 2, 4])),
    };
  }

  #denial(account: number): Change {
    const [random, line] = [this.#random, this.#lineOf(account)];
    const pick = random.between(0, 9);
    if (pick < 4)
      return { do: 'exclude', account, lines: this.#lines(account, 2), replace: random.next() < 0.3 };
    if (pick < 6) return { do: 'own', account, line, level: this.#level() };
    if (pick < 7) return { do: 'all', account, excluded: true };
    if (pick < 8) return { do: 'level', account, level: this.#level() };
    if (pick < 9) return { do: 'importLevel', account, level: this.#level() };
    const idents = this.#lines(account, 3).map((one) => [one, random.between(0, 1)] as const);
    return { do: 'importList', account, idents };
  }

  #permission(account: number): Change {
    const [random, line] = [this.#random, this.#lineOf(account)];
    const pick = random.between(0, 6);
    if (pick < 2) return { do: 'include', account, line };
    if (pick < 3) return { do: 'own', account, line, level: 0 };
    if (pick < 4) return { do: 'all', account, excluded: false };
    if (pick < 5) return { do: 'clear', account };
    if (pick < 6) return { do: 'level', account, level: 0 };
    return { do: 'importList', account, idents: [] };
  }

  #departure(): Change {
    const [random, line] = [this.#random, this.#line()];
    const owner = this.#owners[line];
    const pick = random.between(0, 19);
    if (pick === 0) return this.#close(random.pick([1, 2]));
    if (owner === undefined) {
      const account = this.#account();
      this.#owners[line] = account;
      return { do: 'arrive', line, account };
    }
    if (pick < 13) {
      const to = random.pick([0, 1, 2].filter((account) => account !== owner));
      this.#owners[line] = to;
      return { do: 'move', line, to };
    }
    if (pick > 15) return { do: pick > 17 ? 'imei' : 'erase', line };
    this.#owners[line] = undefined;
    return { do: 'delete', line };
  }

  #close(account: number): Change {
    for (const [line, owner] of this.#owners.entries()) if (owner === account) this.#owners[line] = undefined;
    return { do: 'close', account };
  }

  /** What may happen while the network is asked. */
  #during(line = this.#line()): Step {
    const random = this.#random;
    const owner = this.#owners[line];
    if (owner === undefined || random.next() < 0.5) return { do: 'work' };
    const changes: readonly Change[] = [
      { do: 'exclude', account: owner, lines: [line], replace: false },
      { do: 'own', account: owner, line, level: 3 },
      { do: 'move', line, to: random.pick([0, 1, 2].filter((account) => account !== owner)) },
      { do: 'delete', line },
      { do: 'gate', account: owner, open: false },
    ];
    return { do: 'work', during: { line, change: random.pick(changes) } };
  }

  #newName(): string {
    const name = `r${this.#names.length}`;
    this.#names.push(name);
    return name;
  }

  #request(): readonly Step[] {
    const name = this.#newName();
    const random = this.#random;
    const by = random.pick(['report', 'callbacks'] as const);
    const wish = this.#wish();
    const asked: Step = { do: 'ask', name, by, ...wish };
    return random.next() < 0.4 ? [asked, this.#during(wish.lines[0])] : [asked];
  }

  #ofRequest(what: 'cancel' | 'resend'): readonly Step[] {
    return this.#names.length === 0 ? [] : [{ do: what, name: this.#random.pick(this.#names) }];
  }

  #network(): Step {
    const answer = this.#random.pick(['found', 'found', 'absent'] as const);
    return { do: 'network', line: this.#line(), answer, place: ++this.#place };
  }

  /** One step, or some that belong together. */
  next(): readonly Step[] {
    const random = this.#random;
    const account = this.#account();
    const pick = random.between(0, 99);
    if (pick < 22) return this.#request();
    if (pick < 40) return [this.#during()];
    if (pick < 51) return [this.#denial(account)];
    if (pick < 58) return [this.#permission(account)];
    if (pick < 72) return [this.#departure()];
    if (pick < 79) return [this.#network()];
    if (pick < 83) {
      const fed = { place: ++this.#place, accuracy: this.#accuracy(), late: random.next() < 0.3 };
      return [{ do: 'feed', line: this.#line(), ...fed }];
    }
    if (pick < 87) return [{ do: 'sync', ...this.#wish() }];
    if (pick < 89) return this.#ofRequest('cancel');
    if (pick < 91) return this.#ofRequest('resend');
    if (pick < 94) return [{ do: 'gate', account, open: random.next() < 0.5 }];
    if (pick < 97) return [{ do: 'listen', account, answers: random.next() < 0.5 }];
    return [{ do: 'use', line: this.#line(), bytes: random.between(1, 1_000) }];
  }

  /** Callbacks that their listener refuses to the last attempt, and that are sent again after something else happened. */
  refusedCallbacks(): readonly Step[] {
    const name = this.#newName();
    const wish = { ...this.#wish(), account: 0, lines: this.#lines(0, 3) };
    const works = Array.from({ length: 4 }, () => [...this.next(), { do: 'work' } as const]).flat();
    return [
      { do: 'listen', account: 0, answers: false },
      { do: 'ask', name, by: 'callbacks', ...wish },
      ...works,
      ...this.next(),
      { do: 'listen', account: 0, answers: true },
      { do: 'resend', name },
      { do: 'work' },
    ];
  }

  /** Many requests wait for one line, which is then found. */
  crowd(): readonly Step[] {
    const [random, line] = [this.#random, 0];
    const account = this.#owners[line] ?? 0;
    const asks = Array.from({ length: random.between(4, 6) }, (): Step => {
      const by = random.pick(['report', 'callbacks'] as const);
      const cacheMode = random.pick([1, 2] as const);
      return { do: 'ask', name: this.#newName(), by, account, accuracy: 'coarse', cacheMode, lines: [line] };
    });
    return [
      { do: 'network', line, answer: 'absent', place: ++this.#place },
      ...asks,
      { do: 'work' },
      ...(random.next() < 0.5 ? this.next() : []),
      { do: 'network', line, answer: 'found', place: ++this.#place },
      { do: 'work' },
    ];
  }

  /** An exclusion is imported for a line that arrives later and then gets another IMEI. */
  lateArrival(line: number): readonly Step[] {
    this.#owners[line] = 0;
    return [
      { do: 'importList', account: 0, idents: [[line, 0]] },
      { do: 'arrive', line, account: 0 },
      { do: 'imei', line },
    ];
  }
}

export function drawCase(seed: number): Case {
  const random = openRandom(`locations ${seed}`);
  const lines = Array.from({ length: LINES }, (_, line) => ({
    account: line === LINES - 1 ? undefined : random.pick([0, 0, 0, 1]),
    answer: random.pick(['found', 'found', 'absent', 'absent', 'failing'] as const),
  }));
  const drawing = new Drawing(random, lines);
  const steps: Step[] = [];
  /** Half of the accounts begin with consent to everything. */
  for (let account = 0; account < ACCOUNTS; account++)
    if (random.next() < 0.6) steps.push({ do: 'level', account, level: 0 });
  if (random.next() < 0.3) steps.push(...drawing.lateArrival(LINES - 1));
  if (random.next() < 0.15) steps.push(...drawing.crowd());
  if (random.next() < 0.2) steps.push(...drawing.refusedCallbacks());
  if (random.next() < 0.3) steps.push({ do: 'use', line: 0, bytes: random.between(1, 1_000) });
  if (random.next() < 0.4) steps.push({ do: 'listen', account: 0, answers: false });
  const length = random.between(STEPS.from, STEPS.to);
  for (let n = 0; n < length; n++) steps.push(...drawing.next());
  return { name: `seed ${seed}`, lines, steps: [...steps, { do: 'work' }] };
}
