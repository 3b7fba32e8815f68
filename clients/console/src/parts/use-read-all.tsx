import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { formatNumber } from '../text/format.ts';
import { Button } from './Button.tsx';

/** Most entries for one action or one file. */
export const ALL_MAX = 100_000;

/** Reads a list to its end and counts the entries; `stop` ends it. */
export function useReadAll<Row>(
  read: (signal: AbortSignal) => AsyncIterable<readonly Row[]>,
  use: (pages: AsyncIterable<readonly Row[]>) => Promise<void>,
) {
  const [count, setCount] = useState(0);
  const controller = useRef(new AbortController());
  const { isPending, mutate, error } = useMutation({
    mutationFn: async () => {
      controller.current = new AbortController();
      const { signal } = controller.current;
      async function* counted() {
        let sum = 0;
        setCount(0);
        for await (const page of read(signal)) {
          const some = page.slice(0, ALL_MAX - sum);
          sum += some.length;
          setCount(sum);
          yield some;
          if (sum === ALL_MAX) return;
        }
      }
      await use(counted());
    },
  });
  return {
    ...{ isPending, count },
    start: () => mutate(),
    stop: () => controller.current.abort(),
    error: controller.current.signal.aborted ? null : error,
  };
}

/** A button that starts reading, and then shows the progress with a button to stop. */
export function ReadAllButton({
  reading: { isPending, count, start, stop },
  label,
  during,
}: {
  readonly reading: ReturnType<typeof useReadAll>;
  readonly label: string;
  readonly during: string;
}) {
  if (!isPending) return <Button onClick={start}>{label}</Button>;
  return (
    <>
      <span role="status">
        {during}: {formatNumber(count)} so far
      </span>
      <Button onClick={stop}>Stop</Button>
    </>
  );
}
