import type { Page } from '../../app/page.ts';

export const page: Page = {
  path: '/customers/*?',
  title: 'Customers',
  group: 'Operator',
  order: 10,
  icon: 'M4 21V8l8-5 8 5v13M9 21v-6h6v6M9 10h.01M15 10h.01',
  about: 'console',
  isFor: ({ kind }) => kind === 'operator',
  load: () => import('./Customers.tsx'),
};
