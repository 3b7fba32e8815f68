import { useNow } from '../app/clock.tsx';
import { formatAgo, formatTime } from '../text/format.ts';

/** Time elapsed in domain time; the exact time is its tooltip. */
export function TimeAgo({ at }: { readonly at: string | null }) {
  const now = useNow();
  if (at === null) return <span className="soft">–</span>;
  return (
    <time dateTime={at} title={formatTime(at)} className="nowrap">
      {formatAgo(Date.parse(at), now)}
    </time>
  );
}
