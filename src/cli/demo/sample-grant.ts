import { randomBytes } from 'node:crypto';
import type { CommandBus } from '@nestjs/cqrs';
import { CreatePerson, DisableClient, DisablePerson, RegisterClient } from '../../auth/index.js';
import { SAMPLE_FARM_ID } from './sample-farm.js';
import { REDIRECT_URI, SAMPLE_SCOPES, type SampleGrant } from './token-walk.js';

/** Lets a sample person sign in and registers a sample application for as long as the work takes; then neither works any more. */
export async function withSampleGrant(
  commands: CommandBus,
  work: (grant: SampleGrant) => Promise<void>,
): Promise<void> {
  const email = `jo.${randomBytes(3).toString('hex')}@${SAMPLE_FARM_ID}.example`;
  const { password = '' } = await commands.execute(new CreatePerson(email, [SAMPLE_FARM_ID]));
  const { clientId, clientSecret = '' } = await commands.execute(
    new RegisterClient('Sample application', [REDIRECT_URI], SAMPLE_SCOPES, false, true),
  );
  try {
    await work({ email, password, clientId, clientSecret });
  } finally {
    await commands.execute(new DisableClient(clientId));
    await commands.execute(new DisablePerson(email));
  }
}
