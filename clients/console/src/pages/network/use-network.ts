import { useQuery } from '@tanstack/react-query';
import { type Network, readNetwork } from '../../api/network.ts';

/** Nobody tells when an element has taken something. */
const AGAIN_MS = 5_000;

/** A part of what is behind the lines; all parts of a page are of one answer. */
export const useNetwork = <Part>(select: (network: Network) => Part) =>
  useQuery({
    queryKey: ['network', 'behind'],
    queryFn: ({ signal }) => readNetwork(signal),
    refetchInterval: AGAIN_MS,
    select,
  });
