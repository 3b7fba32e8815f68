import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Button } from '../parts/Button.tsx';
import { ICONS, Icon } from '../parts/Icon.tsx';
import { SandboxBar } from '../sandbox/SandboxBar.tsx';
import { maySteer } from '../sandbox/use-clock-move.ts';
import { AccountSwitcher } from './AccountSwitcher.tsx';
import { Away } from './Away.tsx';
import { DomainTime } from './DomainTime.tsx';
import { LiveDot } from './live.tsx';
import { Palette } from './Palette.tsx';
import { PAGES, type Page, pathOf } from './page.ts';
import { useSession } from './session.tsx';
import { toggleTheme, useTheme } from './theme.ts';
import { UserMenu } from './UserMenu.tsx';

const GROUPS: readonly Page['group'][] = ['Fleet', 'Rules', 'Traffic', 'Operation', 'Operator'];

function Navigation({
  accountName,
  open,
}: {
  readonly accountName: string | undefined;
  readonly open: boolean;
}) {
  const [location] = useLocation();
  const session = useSession();
  const shown = PAGES.filter(
    ({ about, isFor }) => (about === 'console' || accountName !== undefined) && (isFor?.(session) ?? true),
  );
  const isCurrent = (path: string) => location === path || location.startsWith(`${path}/`);
  return (
    <nav className="nav" data-open={open} aria-label="Pages" id="navigation">
      <div className="nav-inner">
        {GROUPS.map((group) => {
          const pages = shown.filter((page) => page.group === group);
          if (pages.length === 0) return null;
          return (
            <section key={group} aria-label={group}>
              <h2>{group}</h2>
              <ul>
                {pages.map((page) => {
                  const path = pathOf(page, accountName);
                  return (
                    <li key={path}>
                      <Link href={path} aria-current={isCurrent(path) ? 'page' : undefined}>
                        <Icon d={page.icon} />
                        {page.title}
                        {page.Badge && accountName !== undefined && <page.Badge accountName={accountName} />}
                      </Link>
                    </li>
                  );
                })}
              </ul>
            </section>
          );
        })}
      </div>
    </nav>
  );
}

export function Shell({
  accountName,
  children,
}: {
  readonly accountName: string | undefined;
  readonly children: ReactNode;
}) {
  const [location] = useLocation();
  const [open, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const theme = useTheme();
  const steers = maySteer(useSession());
  // Moves the focus for screen readers, and closes the menu on a phone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the location changes
  useEffect(() => {
    setOpen(false);
    if (document.activeElement?.closest('.nav') != null) main.current?.focus();
  }, [location]);
  return (
    <div className="shell" data-sandbox={steers}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <nav aria-label="Start" style={{ display: 'contents' }}>
        <Link href="/" className="brand">
          <img src="/favicon.svg" alt="" width="24" height="24" />
          Linekeeper
        </Link>
      </nav>
      <header className="bar">
        <Button
          kind="plain"
          className="icon-only menu-button"
          aria-label="Menu"
          aria-expanded={open}
          aria-controls="navigation"
          onClick={() => setOpen(!open)}
        >
          <Icon d={ICONS.menu} />
        </Button>
        <AccountSwitcher accountName={accountName} />
        <div className="bar-end">
          <LiveDot />
          {!steers && <DomainTime />}
          <Button
            kind="plain"
            className="icon-only"
            aria-label={theme === 'dark' ? 'Use light colours' : 'Use dark colours'}
            onClick={toggleTheme}
          >
            <Icon d={theme === 'dark' ? ICONS.sun : ICONS.moon} />
          </Button>
          <UserMenu />
        </div>
      </header>
      <Palette accountName={accountName} />
      {steers && <SandboxBar />}
      <Navigation accountName={accountName} open={open} />
      <main className="main" id="main" ref={main} tabIndex={-1}>
        <Away />
        {children}
      </main>
    </div>
  );
}
