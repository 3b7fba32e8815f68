import { useNow } from '../app/clock.tsx';
import { formatAgo, formatTime } from '../text/format.ts';

/** How long ago on the domain's clock; the time itself is its title. */
export function TimeAgo({ at }: { readonly at: string | null }) {
  const now = useNow();
  if (at === null) return <span className="soft">–</span>;
  return (
    <time dateTime={at} title={formatTime(at)} className="nowrap">
      {formatAgo(Date.parse(at), now)}
    </time>
  );
}
