import { useQuery } from '@tanstack/react-query';
import { countApprovals } from '../../api/approvals.ts';
import { mayDecide, useSession } from '../../app/session.tsx';

/** The service counts no further than a hundred. */
const SHOWN_MAX = 99;

/** How many wait for the viewer's word; nothing for whoever has no say in it. */
export function WaitingBadge({ accountName }: { readonly accountName: string }) {
  const may = mayDecide(useSession());
  const { data = 0 } = useQuery({
    queryKey: ['approvals', accountName, 'count'],
    queryFn: ({ signal }) => countApprovals(accountName, signal),
    enabled: may,
  });
  if (!may || data === 0) return null;
  return (
    <span className="nav-badge">
      {data > SHOWN_MAX ? `${SHOWN_MAX}+` : data}
      <span className="hidden-text"> waiting</span>
    </span>
  );
}
