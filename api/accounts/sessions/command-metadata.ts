import { randomUUID } from 'node:crypto';

import type { CommandMetadata } from '#domain/event-store.ts';

import type { RequestMetadata } from '../../command-handler/execute.ts';
import { requestIdOf, type ShopContext } from '../../http/context.ts';
import { actorOf } from './session.ts';

/** The metadata that the log keeps with the events of this request's command. */
export const commandMetadata = async (ctx: ShopContext, actor?: CommandMetadata['actor']): Promise<RequestMetadata> => ({
  commandId: ctx.state.command?.id ?? randomUUID(),
  correlationId: requestIdOf(ctx),
  causationId: requestIdOf(ctx),
  actor: actor ?? (await actorOf(ctx)),
  ...(ctx.state.command && { isRepeated: ctx.state.command.isRepeated }),
});
