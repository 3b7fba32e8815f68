import { useQuery } from '@tanstack/react-query';
import { countApprovals } from '../../api/approvals.ts';
import { mayDecide, useSession } from '../../app/session.tsx';

/** The service counts up to a hundred. */
const SHOWN_MAX = 99;

/** The number of approvals that await the viewer's decision; renders nothing for viewers who may not decide. */
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
