/**
 * Ends with 1 when a package that is delivered (not one for development only) has a licence that is not among those the project
 * may ship under, or none: node .ci/licences.mjs
 */
import { readFileSync } from 'node:fs';

const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
]);

/** Packages whose package.json names no licence, by the text that comes with them. */
const BY_THEIR_TEXT = { pause: 'MIT' };

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const delivered = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
const refused = delivered
  .map(([path, { license, version }]) => [
    path.replace(/^.*node_modules\//, ''),
    license ?? declared(path),
    version,
  ])
  .filter(([name, licence]) => !allowed(licence ?? BY_THEIR_TEXT[name] ?? ''))
  .map(([name, licence, version]) => `${name} ${version}: ${licence ?? 'no licence'}`);
for (const line of refused) console.error(line);
console.log(`${delivered.length - refused.length} packages may be delivered, ${refused.length} may not`);
process.exitCode = refused.length > 0 ? 1 : 0;

/** Older packages name their licences in an object or a list. */
function declared(path) {
  try {
    const { license, licenses } = JSON.parse(readFileSync(`${path}/package.json`, 'utf8'));
    return [license ?? licenses]
      .flat()
      .map((one) => one?.type ?? one)
      .find(Boolean);
  } catch {
    return undefined; // Of another platform, and not installed here: then the lock file has to say.
  }
}

/** `A OR B` leaves the choice, `A AND B` asks for both. */
function allowed(expression) {
  const said = expression.replace(/[()]/g, '');
  return said.split(' OR ').some((choice) => choice.split(' AND ').every((one) => ALLOWED.has(one)));
}
