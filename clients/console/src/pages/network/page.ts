import type { Page } from '../../app/page.ts';

export const page: Page = {
  path: '/network',
  title: 'Network',
  group: 'Operator',
  order: 40,
  icon: 'M12 21V11M8 21h8M12 11a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7.5 13.5a6.4 6.4 0 0 1 0-9M16.5 4.5a6.4 6.4 0 0 1 0 9',
  about: 'console',
  isFor: ({ kind }) => kind === 'operator',
  load: () => import('./Network.tsx'),
};
