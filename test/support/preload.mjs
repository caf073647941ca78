import { isMainThread } from 'node:worker_threads';

// Threads that make reports have little memory, and answer nobody.
if (isMainThread) await import('./recorder.ts');
