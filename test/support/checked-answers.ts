import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { randomUUID } from 'node:crypto';
import { Contract } from './contract.js';
import type { Recorded } from './recorder.js';

const contracts = new Map<string, Promise<Contract>>();

/** What a service answers, held against what it says of itself. */
export class CheckedAnswers {
  private readonly file = join(tmpdir(), `muster-answers-${randomUUID()}.ndjson`);
  private contract?: Contract;
  private port = 0;
  private read = 0;

  /** What a process needs to have its answers written down. */
  get env(): NodeJS.ProcessEnv {
    const preload = pathToFileURL(join(import.meta.dirname, 'preload.mjs')).href;
    return { MUSTER_TEST_ANSWERS: this.file, NODE_OPTIONS: `--import ${preload}` };
  }

  /** Reads what the service that listens at `url` says of itself, once for all services of one `build`. */
  async begin(url: string, build: string): Promise<void> {
    this.port = Number(new URL(url).port);
    const contract = contracts.get(build) ?? readContract(url);
    contracts.set(build, contract);
    this.contract = await contract;
  }

  /** What is wrong with the answers since the last time. */
  faults(): string[] {
    const { contract, port } = this;
    return contract
      ? this.lines()
          .filter((recorded) => recorded.port === port)
          .flatMap((one) => contract.faults(one))
      : [];
  }

  end(): void {
    rmSync(this.file, { force: true });
  }

  private lines(): Recorded[] {
    const text = this.text();
    const fresh = text.slice(this.read, text.lastIndexOf('\n') + 1);
    this.read += fresh.length;
    return fresh
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Recorded);
  }

  private text(): string {
    try {
      return readFileSync(this.file, 'utf8');
    } catch {
      return ''; // Nobody has asked anything.
    }
  }
}

async function readContract(url: string): Promise<Contract> {
  const answer = await fetch(`${url}/openapi.json`);
  return new Contract(await answer.json());
}
