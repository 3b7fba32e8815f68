import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useToasts } from '../../parts/toasts.tsx';

/** Does something to who has access, reads the lists again and says that it is done. */
export function useAccessChange<Given, Done>(
  change: (given: Given) => Promise<Done>,
  done: (given: Given, result: Done) => string | undefined,
) {
  const queries = useQueryClient();
  const { say } = useToasts();
  return useMutation({
    mutationFn: change,
    onSuccess: (result, given) => {
      const said = done(given, result);
      if (said !== undefined) say(said);
      // Not waited for: a secret is shown at once.
      void queries.invalidateQueries({ queryKey: ['access'] });
    },
  });
}
