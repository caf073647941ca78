/**
 * Adds to package-lock.json what an install on one platform leaves out when its registry lacks a package of
 * another platform: without these entries `npm ci` finds the lock file incomplete. Run it after every change of
 * dependencies: node .ci/complete-lock.mjs
 */
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'package-lock.json';
const SYSTEM = /(darwin|linux|win32|windows|freebsd|android|openharmony)/;
const PROCESSOR = /(arm64|x64|ia32|ppc64|s390x|riscv64|loong64|arm)(?![a-z]*64)/;

const lock = JSON.parse(readFileSync(FILE, 'utf8'));
const missing = Object.entries(lock.packages).flatMap(([parent, { dev, optionalDependencies = {} }]) =>
  Object.entries(optionalDependencies)
    .filter(
      ([name]) => !lock.packages[`node_modules/${name}`] && !lock.packages[`${parent}/node_modules/${name}`],
    )
    .map(([name, version]) => ({ name, version: version.replace(/^[\^~]/, ''), dev })),
);
for (const { name, version, dev } of missing) {
  const system = SYSTEM.exec(name);
  const processor = system && PROCESSOR.exec(name.slice(system.index));
  if (!system || !processor) continue;
  const only = { cpu: [processor[1]], os: [system[1]] };
  lock.packages[`node_modules/${name}`] = { version, ...(dev && { dev }), optional: true, ...only };
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`added ${missing.length} packages of other platforms`);
