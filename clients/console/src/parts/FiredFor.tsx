import { Link } from 'wouter';
import type { Firing } from '../api/overview.ts';
import { useAccount } from '../app/account.tsx';
import { isDevice, subjectWords } from '../text/firing.ts';

/** The subject that a trigger counted; for a line, its name with a link to its page. */
export function FiredFor({
  firing,
}: {
  readonly firing: Pick<Firing, 'subject' | 'accountName' | 'deviceName'>;
}) {
  const { subject, accountName, deviceName } = firing;
  const here = useAccount();
  if (!isDevice(subject)) return subject === here ? 'This account' : subjectWords(firing);
  if (deviceName === undefined) return <span title={subject}>No longer in this account</span>;
  return (
    <Link href={`/accounts/${accountName}/devices/${subject}`}>
      {deviceName.trim() === '' ? 'Unnamed device' : deviceName}
    </Link>
  );
}
