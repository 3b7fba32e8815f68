import { Link } from 'wouter';
import type { Firing } from '../api/overview.ts';
import { useAccount } from '../app/account.tsx';
import { isDevice, subjectWords } from '../text/firing.ts';

/** What a trigger has counted: a line leads to its page, by the name that people know it by. */
export function FiredFor({
  firing,
}: {
  readonly firing: Pick<Firing, 'subject' | 'accountName' | 'deviceName'>;
}) {
  const { subject, accountName, deviceName } = firing;
  const here = useAccount();
  if (!isDevice(subject)) return subject === here ? 'This account' : subjectWords(firing);
  if (deviceName === undefined) return <span title={subject}>Not in this account any more</span>;
  return (
    <Link href={`/accounts/${accountName}/devices/${subject}`}>
      {deviceName.trim() === '' ? 'A device without a name' : deviceName}
    </Link>
  );
}
