/**
 * Asks the registry for known weaknesses of what is delivered, and ends with 1 when one is high or critical. A registry that keeps
 * no advisories cannot answer; that is said and is no failure: node .ci/advisories.mjs
 */
import { spawnSync } from 'node:child_process';

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' });
const answer = JSON.parse(stdout);
if (answer.metadata) {
  const { high, critical, total } = answer.metadata.vulnerabilities;
  for (const [name, { severity, range }] of Object.entries(answer.vulnerabilities))
    console.log(`${severity}: ${name} ${range}`);
  console.log(`${total} known weaknesses, ${high + critical} of them high or critical`);
  process.exitCode = high + critical > 0 ? 1 : 0;
} else if (/audit endpoint|ENOAUDIT|40[45]/i.test(`${answer.message} ${answer.error?.summary}`)) {
  console.log('NOT ASKED: this registry keeps no advisories. Run it where one does, before every release.');
} else {
  console.error(answer);
  process.exitCode = 1;
}
