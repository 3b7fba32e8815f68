import type { Page } from '../../app/page.ts';

export const page: Page = {
  path: '/plans/*?',
  title: 'Plans',
  group: 'Operator',
  order: 30,
  icon: 'M4 4h16v6H4zM4 14h16v6H4zM8 7h.01M8 17h.01',
  about: 'console',
  isFor: ({ kind }) => kind === 'operator',
  load: () => import('./Plans.tsx'),
};
