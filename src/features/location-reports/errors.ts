import { defineFaults, fault } from '../../platform/context/fault.ts';

export const requestFaults = defineFaults({
  notFound: fault(400, 'INVALID_PARAMETER', 'Transaction not found'),
  tooManyRequests: fault(429, '429', 'Too many location requests of the account are under way'),
});
