interface Asking<Item, Answer> {
  readonly item: Item;
  answer(answer: Answer): void;
  fail(error: unknown): void;
}

/**
 * Asks once for all who ask in the same turn of the event loop about one profile. `ask` answers in the order of its items;
 * where it fails, it fails for each of them.
 */
export function gatherByProfile<Item, Answer>(
  ask: (ecpdId: string, items: readonly Item[]) => Promise<readonly Answer[]>,
): (ecpdId: string, item: Item) => Promise<Answer> {
  const gathered = new Map<string, Asking<Item, Answer>[]>();

  async function askFor(ecpdId: string): Promise<void> {
    const asking = gathered.get(ecpdId)!;
    gathered.delete(ecpdId);
    try {
      const answers = await ask(
        ecpdId,
        asking.map(({ item }) => item),
      );
      for (const [nth, { answer }] of asking.entries()) answer(answers[nth]!);
    } catch (error) {
      for (const { fail } of asking) fail(error);
    }
  }

  return (ecpdId, item) =>
    new Promise((answer, fail) => {
      const asking = gathered.get(ecpdId);
      if (asking !== undefined) return void asking.push({ item, answer, fail });
      gathered.set(ecpdId, [{ item, answer, fail }]);
      queueMicrotask(() => void askFor(ecpdId));
    });
}
