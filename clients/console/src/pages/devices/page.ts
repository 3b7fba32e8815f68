import type { Page } from '../../app/page.ts';

export const page: Page = {
  path: '/devices/*?',
  title: 'Devices',
  group: 'Fleet',
  order: 20,
  icon: 'M7 3h10a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM10.5 18h3',
  about: 'account',
  load: () => import('./Devices.tsx'),
};
