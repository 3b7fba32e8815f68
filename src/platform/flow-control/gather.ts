interface Asker<Item, Answer> {
  readonly item: Item;
  answer(answer: Answer): void;
  fail(error: unknown): void;
}

/**
 * Combines all questions about one profile in the same tick of the event loop into one. `ask` answers in the order of
 * its items; if it fails, it fails for each of them.
 */
export function gatherByProfile<Item, Answer>(
  ask: (ecpdId: string, items: readonly Item[]) => Promise<readonly Answer[]>,
): (ecpdId: string, item: Item) => Promise<Answer> {
  const gathered = new Map<string, Asker<Item, Answer>[]>();

  async function askFor(ecpdId: string): Promise<void> {
    const askers = gathered.get(ecpdId)!;
    gathered.delete(ecpdId);
    try {
      const answers = await ask(
        ecpdId,
        askers.map(({ item }) => item),
      );
      for (const [nth, { answer }] of askers.entries()) answer(answers[nth]!);
    } catch (error) {
      for (const { fail } of askers) fail(error);
    }
  }

  return (ecpdId, item) =>
    new Promise((answer, fail) => {
      const askers = gathered.get(ecpdId);
      if (askers !== undefined) return void askers.push({ item, answer, fail });
      gathered.set(ecpdId, [{ item, answer, fail }]);
      queueMicrotask(() => void askFor(ecpdId));
    });
}
