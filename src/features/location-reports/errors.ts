import { defineFaults } from '../../platform/context/fault.ts';

export const requestFaults = defineFaults({
  notFound: { status: 400, code: 'INVALID_PARAMETER', message: 'Transaction not found' },
  tooManyRequests: {
    status: 429,
    code: '429',
    message: 'Too many location requests of the account are under way',
  },
});
