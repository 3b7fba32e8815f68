import type { Page } from '../../app/page.ts';

export const page: Page = {
  path: '/first-steps',
  title: 'First steps',
  group: 'Fleet',
  order: 90,
  icon: 'M5 12l4 4 10-10M5 20h14',
  about: 'account',
  isFor: ({ sandbox }) => sandbox,
  load: () => import('./FirstSteps.tsx'),
};
