import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

/** Where a file was stopped says nothing about it, so a run that is stopped names its files without errors and stacks. */
export async function* withoutStopped(events: AsyncIterable<TestEvent>, stopping: AbortSignal) {
  for await (const event of events) {
    if (event.type === 'test:fail' && stopping.aborted) {
      const { details, name } = event.data;
      const { failureType, signal } = details.error as { failureType?: string; signal?: string | null };
      if (failureType === 'testAborted' || signal) {
        process.stdout.write(`stopped before its end: ${relative(process.cwd(), name)}\n`);
        continue;
      }
    }
    yield event;
  }
}
