import { registerHooks } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const KIT = 'muster/kit';
const KIT_URL = new URL('../kit/index.js', import.meta.url).href;
/** Stands before the name of a package that is looked for from the folder the process runs in. */
const FROM_HERE = 'muster-report-module:';

let offered = false;

/**
 * Whatever module says `muster/kit` gets the kit of this very service, so that its declarations are seen and it need not
 * bring a copy of its own. Once for each thread.
 */
export function offerKit(): void {
  if (offered) return;
  offered = true;
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === KIT) return { url: KIT_URL, format: 'module', shortCircuit: true };
      if (!specifier.startsWith(FROM_HERE)) return next(specifier, context);
      return next(specifier.slice(FROM_HERE.length), { ...context, parentURL: here() });
    },
  });
}

/** The URL of a module of MUSTER_REPORT_MODULES: a file URL, a path, or a package as the process's folder sees it. Throws. */
export function findReportModule(specifier: string): string {
  offerKit();
  if (specifier.startsWith('file:')) return new URL(specifier).href;
  if (isAbsolute(specifier) || /^\.{1,2}[\\/]/.test(specifier)) return pathToFileURL(resolve(specifier)).href;
  return import.meta.resolve(`${FROM_HERE}${specifier}`);
}

function here(): string {
  return pathToFileURL(join(process.cwd(), '/')).href;
}
