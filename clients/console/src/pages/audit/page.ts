import type { Page } from '../../app/page.ts';

export const page: Page = {
  path: '/audit',
  title: 'Audit log',
  group: 'Operation',
  order: 20,
  icon: 'M6 3h9l4 4v14H6zM14 3v5h5M9 13h6M9 17h6',
  about: 'console',
  isFor: ({ kind }) => kind === 'operator',
  load: () => import('./Audit.tsx'),
};
