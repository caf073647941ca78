import type { Diary } from './diary.js';
import { open } from './head-changes.js';
import {
  BULL,
  COW,
  HEIFER,
  LAMB_EWE,
  LAMB_RAM,
  MERINO_EWE,
  MERINO_HOGGET,
  MERINO_RAM,
  MERINO_WETHER,
  STEER,
  TEASER,
} from './kinds.js';

/** What stands on the farm on the first day, with average cost in dollars a head. */
export function openTheBook(diary: Diary): void {
  open(diary, [
    { mob: 'merino-ewes', kind: MERINO_EWE, head: 824, paddock: 'woolshed', each: 58 },
    { mob: 'merino-hoggets', kind: MERINO_HOGGET, head: 268, paddock: 'middle', each: 46 },
    { mob: 'wethers', kind: MERINO_WETHER, head: 196, paddock: 'stony', each: 44 },
    { mob: 'rams', kind: MERINO_RAM, head: 14, paddock: 'horse', each: 640 },
    { mob: 'rams', kind: TEASER, head: 6, paddock: 'horse', each: 40 },
    { mob: 'rams', kind: LAMB_RAM, head: 8, paddock: 'horse', each: 520 },
    { mob: 'lamb-ewes', kind: LAMB_EWE, head: 338, paddock: 'shelter', each: 72 },
    { mob: 'cows', kind: COW, head: 84, paddock: 'river-flat', each: 610 },
    { mob: 'stud-cows', kind: COW, head: 20, paddock: 'creek', each: 980 },
    { mob: 'heifers', kind: HEIFER, head: 25, paddock: 'boundary', each: 540 },
    { mob: 'bulls', kind: BULL, head: 4, paddock: 'horse', each: 2900 },
    { mob: 'steers', kind: STEER, head: 48, paddock: 'top-ridge', each: 705 },
  ]);
}
