import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useToasts } from '../../parts/toasts.tsx';

/** Writes what a form holds, and closes it. False where what should be new is there already. */
export function useSave<Entry>(write: (entry: Entry) => Promise<boolean>, done: string, onClose: () => void) {
  const queries = useQueryClient();
  const { say } = useToasts();
  return useMutation({
    mutationFn: write,
    onSuccess: async (isWritten) => {
      if (!isWritten) return;
      say(done);
      onClose();
      await queries.invalidateQueries({ queryKey: ['plans'] });
    },
  });
}

export const listed = (text: string, separator: RegExp): string[] => [
  ...new Set(
    text
      .split(separator)
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  ),
];
