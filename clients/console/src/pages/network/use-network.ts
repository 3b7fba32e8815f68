import { useQuery } from '@tanstack/react-query';
import { type Network, readNetwork } from '../../api/network.ts';

/** Polling interval, because nothing reports what an element has done. */
const AGAIN_MS = 5_000;

/** Selects a part of the network's state; all parts of a page come from one answer. */
export const useNetwork = <Part>(select: (network: Network) => Part) =>
  useQuery({
    queryKey: ['network', 'behind'],
    queryFn: ({ signal }) => readNetwork(signal),
    refetchInterval: AGAIN_MS,
    select,
  });
