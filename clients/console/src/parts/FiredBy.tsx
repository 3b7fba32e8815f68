import { Link } from 'wouter';
import type { Firing } from '../api/overview.ts';
import { useAccount } from '../app/account.tsx';
import { firedBy } from '../text/firing.ts';

/** The name of the trigger, linked while the trigger exists. */
export function FiredBy({
  firing,
  className,
}: {
  readonly firing: Pick<Firing, 'triggerId' | 'kind' | 'triggerName' | 'isThere'>;
  readonly className?: string;
}) {
  const { kind, triggerId, isThere } = firing;
  const accountName = useAccount();
  const name = firedBy(firing);
  if (isThere !== true) return <span title={name}>{name}</span>;
  return (
    <Link
      className={className}
      title={name}
      href={`/accounts/${accountName}/triggers/${kind === 'usage' ? 'usage' : 'price-plan'}/${triggerId}`}
    >
      {name}
    </Link>
  );
}
