import type { Page } from '../../app/page.ts';
import { mayAs } from '../../app/session.tsx';

export const page: Page = {
  path: '/sandbox/*?',
  title: 'Sandbox',
  group: 'Operation',
  order: 5,
  icon: 'M9 3h6M10 3v6l-5 9a2 2 0 0 0 2 3h10a2 2 0 0 0 2-3l-5-9V3M7.5 15h9',
  about: 'console',
  isFor: (session) => session.sandbox && mayAs(session, 'read'),
  load: () => import('./Sandbox.tsx'),
};
