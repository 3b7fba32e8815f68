import type { Page } from '../../app/page.ts';

export const page: Page = {
  path: '/map',
  title: 'Map',
  group: 'Fleet',
  order: 30,
  icon: 'M12 21s-7-6.2-7-11a7 7 0 0 1 14 0c0 4.8-7 11-7 11zM12 7.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  about: 'account',
  load: () => import('./FleetMap.tsx'),
};
