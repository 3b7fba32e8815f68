import { useQuery } from '@tanstack/react-query';
import { readTriggerOptions, type TriggerOptions } from '../../api/triggers.ts';
import { useAccount } from '../../app/account.tsx';

/** What a trigger can name, with the names that people know it by. */
export function useTriggerOptions(): TriggerOptions | undefined {
  const accountName = useAccount();
  return useQuery({
    queryKey: ['triggers', accountName, 'options'],
    queryFn: ({ signal }) => readTriggerOptions(accountName, signal),
  }).data;
}
