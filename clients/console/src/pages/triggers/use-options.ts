import { useQuery } from '@tanstack/react-query';
import { readTriggerOptions, type TriggerOptions } from '../../api/triggers.ts';
import { useAccount } from '../../app/account.tsx';

/** The objects that a trigger can refer to, with their names. */
export function useTriggerOptions(): TriggerOptions | undefined {
  const accountName = useAccount();
  return useQuery({
    queryKey: ['triggers', accountName, 'options'],
    queryFn: ({ signal }) => readTriggerOptions(accountName, signal),
  }).data;
}
