import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

export default async function setUp(): Promise<void> {
  importTypeScript();
  const { startCluster } = await import('./cluster.js');
  await startCluster();
}

/** Jest transforms what tests import, not what its global setup and teardown do. */
function importTypeScript(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const relative = specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL;
      const source = relative ? new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL) : undefined;
      return source && existsSync(source)
        ? { url: source.href, format: 'module', shortCircuit: true }
        : next(specifier, context);
    },
    load(url, context, next) {
      if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
      const filename = fileURLToPath(url);
      const { code } = transformSync(readFileSync(filename, 'utf8'), { filename, sourceMaps: 'inline' });
      return { format: 'module', source: code, shortCircuit: true };
    },
  });
}
