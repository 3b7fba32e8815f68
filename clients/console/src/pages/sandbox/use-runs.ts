import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { listRuns } from '../../api/scenarios.ts';

const READ_MS = 1_000;

/** The scenario runs, read every second while one is active. Other pages are refetched when it ends. */
export function useRuns() {
  const queries = useQueryClient();
  const [followed, setFollowed] = useState<string | undefined>();
  const runs = useQuery({
    queryKey: ['scenarios'],
    queryFn: ({ signal }) => listRuns(signal),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.[0]?.state === 'running' ? READ_MS : false),
  });
  const first = runs.data?.[0];
  const isRunning = first?.state === 'running';
  const runId = first?.runId;
  useEffect(() => {
    if (isRunning) setFollowed(runId);
  }, [isRunning, runId]);
  const hasEnded = followed !== undefined && followed === runId && !isRunning;
  useEffect(() => {
    if (!hasEnded) return;
    setFollowed(undefined);
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'scenarios' });
  }, [hasEnded, queries]);
  // A restarted service has no record of the run.
  const isKnown = runs.data?.some((run) => run.runId === followed) ?? true;
  const isLost = followed !== undefined && !isKnown;
  return { runs, isLost };
}
