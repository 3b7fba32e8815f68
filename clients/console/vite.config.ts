import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));

/** `npx vite clients/console` serves the sources to somebody who works on them; the service must run on its usual port. */
export default defineConfig({
  root,
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // The page allows nothing that is written into it: no data: scripts, and no styles as text.
    assetsInlineLimit: 0,
    // The map's engine, which comes when a map is opened.
    chunkSizeWarningLimit: 1_200,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
});
