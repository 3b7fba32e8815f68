// Must stay first: modules loaded after it may read the language.
import './app/language.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './style/tokens.css';
import './style/base.css';
import './style/shell.css';
import './style/parts.css';
import './style/facts.css';
import './style/forms.css';
import './style/table.css';
import { App } from './app/App.tsx';
import { preloadPage } from './app/page.ts';

preloadPage(window.location.pathname);

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
