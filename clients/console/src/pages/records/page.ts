import type { Page } from '../../app/page.ts';

export const page: Page = {
  path: '/records/*?',
  title: 'Device records',
  group: 'Rules',
  order: 20,
  icon: 'M6 3h9l4 4v14H6zM15 3v4h4M9 12h7M9 16h7',
  about: 'account',
  load: () => import('./Records.tsx'),
};
